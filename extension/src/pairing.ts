// Which servers there are, and how both sides prove that they know the same token. It is in a file that only this
// user's programs can read: Chrome serves it to nobody but this extension.

export interface Entry { id: string; port: number; token: string; name: string }

/** The servers that run now, as they have written themselves into our directory. */
export async function entries(): Promise<Entry[]> {
  try {
    const answer = await fetch(chrome.runtime.getURL("server.json"), { cache: "no-store" });
    return (await answer.json()) as Entry[];
  } catch {
    return [];
  }
}

export function nonce(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

/** The proof of one side: an HMAC with SHA-256 over its name and both nonces. */
export async function proof(token: string, side: "server" | "extension", first: string, second: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(token), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(`${side} ${first} ${second}`))).toHex();
}
