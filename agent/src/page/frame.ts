// Animation frames that come even when there are none: a hidden tab draws nothing, so each wait for a
// frame is raced with a timer.

const LONGEST_FRAME = 50;

export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    let timer = 0;
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
    timer = setTimeout(() => {
      cancelAnimationFrame(frame);
      resolve();
    }, LONGEST_FRAME);
  });
}

export async function manyFrames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextFrame();
}
