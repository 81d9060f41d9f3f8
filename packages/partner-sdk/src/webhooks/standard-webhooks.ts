// Standard Webhooks 1.0.0, by Web Crypto: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** A secret of either kind, as it is imported to verify with it. */
export interface WebhookKey {
  readonly scheme: "v1" | "v1a";
  verify(signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/** `whsec_…` verifies `v1` (HMAC-SHA256), `whpk_…` verifies `v1a` (ed25519). Null: it is neither. */
export async function webhookKey(secret: string): Promise<WebhookKey | null> {
  const [, prefix, text = ""] = /^(whsec_|whpk_)(.+)$/.exec(secret) ?? [];
  const bytes = fromBase64(text);
  if (prefix === undefined || bytes === null) return null;
  const [scheme, algorithm] =
    prefix === "whsec_"
      ? (["v1", { name: "HMAC", hash: "SHA-256" }] as const)
      : (["v1a", { name: "Ed25519" }] as const);
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
  // Both compare in constant time.
  return { scheme, verify: (signature, content) => crypto.subtle.verify(algorithm, key, signature, content) };
}

/** What is signed: the body's bytes as they came, behind its id and its time. */
export function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  return content;
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
