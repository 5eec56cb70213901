// Waits until the page has come to rest: what was scheduled is drawn, and finite animations are over.

import { animationsIn } from "./dom";
import { manyFrames } from "./frame";

export async function rest(args: { timeout: number }): Promise<object> {
  const deadline = performance.now() + args.timeout;
  await manyFrames(2);
  for (let left = args.timeout; left > 0; left = deadline - performance.now()) {
    const running = animationsIn(document).filter(isFinite);
    if (running.length === 0) break;
    const over = Promise.allSettled(running.map(({ finished }) => finished));
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, left))]);
  }
  return {};
}

function isFinite({ playState, effect }: Animation): boolean {
  return playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime as number);
}
