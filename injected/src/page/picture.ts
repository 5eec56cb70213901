// Screenshot support for engines that lack it: the document's size, and scaling.

import { pageRoot } from "./dom";

interface Picture {
  /** The image, as base64. */
  data: string;
  scale: number;
  type: string;
  quality?: number;
}

/** The size of the whole document. */
export function extent(): object {
  const root = pageRoot();
  const body = document.body as HTMLElement | null;
  const longest = (side: "scrollWidth" | "scrollHeight") => Math.max(root?.[side] ?? 0, body?.[side] ?? 0);
  return { width: longest("scrollWidth"), height: longest("scrollHeight") };
}

/** Scales an image; returns base64. */
export async function scale(picture: Picture): Promise<object> {
  const bytes = Uint8Array.from(window.atob(picture.data), (character) => character.charCodeAt(0));
  const whole = await window.createImageBitmap(new Blob([bytes]));
  const sized = (side: number) => Math.max(1, Math.round(side * picture.scale));
  const canvas = new OffscreenCanvas(sized(whole.width), sized(whole.height));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, 0, 0, canvas.width, canvas.height);
  whole.close();
  const blob = await canvas.convertToBlob({ type: picture.type, quality: picture.quality });
  return { data: await encoded(blob) };
}

/** The blob as base64, read as a data URL: bytes of another world cannot be accessed. */
export function encoded(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
