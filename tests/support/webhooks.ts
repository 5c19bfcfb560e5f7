/** Signs as a sender of Standard Webhooks does, by Web Crypto alone. */
export async function standardFields(
  key: string,
  content: string | Uint8Array<ArrayBuffer>,
  { id = "msg_1", seconds = Math.floor(Date.now() / 1000) }: { id?: string; seconds?: number | string } = {},
): Promise<Record<string, string>> {
  const secret = Uint8Array.from(atob(key.slice("whsec_".length)), (unit) => unit.charCodeAt(0));
  const signature = btoa(String.fromCharCode(...(await hmac(secret, `${id}.${seconds}.`, content))));
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}

/** Signs as GitHub does. */
export async function githubFields(secret: string, content: string): Promise<Record<string, string>> {
  return { "x-hub-signature-256": `sha256=${hexOf(await hmac(encoded(secret), "", content))}` };
}

/** Signs as Stripe does. */
export async function stripeFields(
  secret: string,
  content: string,
  seconds: number | string = Math.floor(Date.now() / 1000),
): Promise<Record<string, string>> {
  return { "stripe-signature": `t=${seconds},v1=${hexOf(await hmac(encoded(secret), `${seconds}.`, content))},v0=a` };
}

async function hmac(
  secret: Uint8Array<ArrayBuffer>,
  head: string,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const bytes = typeof content === "string" ? encoded(content) : content;
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, new Uint8Array([...encoded(head), ...bytes])));
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
