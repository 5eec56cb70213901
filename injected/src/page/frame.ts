// Animation frames with a fallback: a hidden tab renders none, so every wait for a frame races with a timer.

const LONGEST_FRAME = 50;

/** The wait in a document that is not drawn: hidden tabs are common in a person's own browser. */
const WITHOUT_FRAMES = 4;

/** A frame that comes so long after its request is one of a hidden tab, of which there is one a second. */
const TOO_LATE = 200;

/** Whether frames come. */
let drawn = true;
/** Whether a frame that did not come in time is still requested: when it comes, frames are waited for again. */
let awaited = false;

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const requested = performance.now();
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      drawn = performance.now() - requested < TOO_LATE;
      awaited = false;
      resolve();
    });
    const timer = setTimeout(() => {
      drawn = false;
      if (awaited) cancelAnimationFrame(frame);
      awaited = true;
      resolve();
    }, drawn ? LONGEST_FRAME : WITHOUT_FRAMES);
  });
}

export async function manyFrames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextFrame();
}

/** The next task: after a frame's callbacks, what they changed has been laid out. Runs in hidden tabs, too. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** When the page has nothing else to do, at the latest after a frame: its timers without delay have run by then. */
export function nextIdle(): Promise<void> {
  return new Promise((resolve) => {
    // A page that awaits a frame is never idle.
    if (drawn && typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: LONGEST_FRAME / 2 });
    else setTimeout(() => setTimeout(resolve));
  });
}
