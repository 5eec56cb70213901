// Fetching as the document does, where the browser fetches nothing beside it.

import { encoded } from "./picture";

/** What is under a URL, unless it is larger than this. */
export async function load(args: { url: string; most: number }): Promise<object | "tooLarge"> {
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
