// Encodes video frames with WebCodecs, in an invisible page of our own.

import { encoded } from "./picture";

interface Chunk {
  data: string;
  key: boolean;
  /** Timestamp in microseconds. */
  at: number;
}

interface Running {
  encoder: VideoEncoder;
  /** Chunks since the last call. */
  out: Promise<Chunk>[];
  failure: string | null;
  frames: number;
  /** Called for every chunk or error. */
  heard: () => void;
}

/** VP9 is the faster of the two in every browser that has both. */
const CODECS = [
  { name: "vp9", codec: "vp09.00.51.08" },
  { name: "vp8", codec: "vp8" },
];

/** Milliseconds after which the encoder is flushed if a frame produced no output. */
const FLUSH_AFTER = 2_000;

/** Frames between key frames. */
const KEY_EVERY = 50;

let running: Running | null = null;

/** Starts a video; returns the codec, or null if the browser has none for it. */
export async function videoBegin(args: { width: number; height: number; fps: number }): Promise<object> {
  if (typeof VideoEncoder === "undefined") return { codec: null };
  for (const { name, codec } of CODECS) {
    const config: VideoEncoderConfig = {
      codec,
      width: args.width,
      height: args.height,
      framerate: args.fps,
      bitrate: Math.max(1_000_000, args.width * args.height * 6),
      latencyMode: "realtime",
    };
    const { supported } = await VideoEncoder.isConfigSupported(config);
    if (!supported) continue;
    const state: Omit<Running, "encoder"> = { out: [], failure: null, frames: 0, heard: () => {} };
    const encoder = new VideoEncoder({
      output: (chunk) => {
        state.out.push(read(chunk));
        running?.heard();
      },
      error: (error) => {
        state.failure = error.message;
        if (running) running.failure = error.message;
        running?.heard();
      },
    });
    encoder.configure(config);
    running = Object.assign(state, { encoder });
    return { codec: name };
  }
  return { codec: null };
}

/** Encodes an image; returns all chunks available by then. */
export async function videoFrame(args: { data: string; at: number }): Promise<object> {
  if (!running) throw new Error("no video was begun");
  const bytes = Uint8Array.from(window.atob(args.data), (character) => character.charCodeAt(0));
  const picture = await window.createImageBitmap(new Blob([bytes]));
  const frame = new VideoFrame(picture, { timestamp: args.at });
  running.encoder.encode(frame, { keyFrame: running.frames % KEY_EVERY === 0 });
  running.frames += 1;
  frame.close();
  picture.close();
  // A real-time encoder outputs each frame at once. Flushing after each frame would make all of them key frames.
  const heard = new Promise<boolean>((resolve) => (running!.heard = () => resolve(true)));
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), FLUSH_AFTER));
  if (running.out.length === 0 && !running.failure && !(await Promise.race([heard, late]))) await running.encoder.flush();
  if (running.failure) throw new Error(running.failure);
  return { chunks: await Promise.all(running.out.splice(0)) };
}

async function read(chunk: EncodedVideoChunk): Promise<Chunk> {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return { data: await encoded(new Blob([bytes])), key: chunk.type === "key", at: chunk.timestamp };
}
