// Fetches from within the document, for engines that cannot fetch outside it.

import { encoded } from "./picture";

/** Fetches a URL, up to `most` bytes. */
export async function fetchUrl(args: { url: string; most: number }): Promise<object | "tooLarge"> {
  try {
    const response = await window.fetch(args.url, { credentials: "include", cache: "no-store" });
    if (!response.ok) return { status: response.status };
    if (Number(response.headers.get("content-length")) > args.most) return "tooLarge";
    const blob = await response.blob();
    if (blob.size > args.most) return "tooLarge";
    return { content: { mime: response.headers.get("content-type"), data: await encoded(blob) } };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
