import { InvalidRequest, InvalidWebhook } from "../errors/index.ts";
import { jsonObject } from "../json-object.ts";

// Standard Webhooks 1.0.0, by Web Crypto: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** A hint: your feed has moved, and what is new has one of these kinds. What it is, the feed says: see `follow` and `changes`. */
export interface WebhookHint {
  /** The same for each repetition of one hint. */
  readonly id: string;
  readonly type: "changes" | (string & {});
  readonly timestamp: string;
  readonly data: { readonly client_id: string; readonly kinds: readonly string[] };
}

/** As `fetch` has them, or as Node's servers do. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A secret of either kind, as it is imported to verify with it. */
interface WebhookKey {
  readonly scheme: "v1" | "v1a";
  verify(signature: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

/** How far its time may be from yours. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * The hint, if it was signed with one of your secrets within five minutes.
 * @param rawBody the body's bytes or text as they came: what was parsed and written again verifies as nothing
 * @param secrets `whsec_…` or `whpk_…`; several while a secret is rotated
 * @throws {InvalidWebhook} answer 400
 * @throws {InvalidRequest} `rawBody` or a secret is none
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookHint> {
  const body = bodyOf(rawBody);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headers instanceof Headers ? headers.get(name) : headerOf(headers, name);
    if (!value) throw new InvalidWebhook(`the header ${name} is missing`);
    return value;
  }) as [string, string, string];

  if (!/^\d{1,12}$/.test(timestamp)) throw new InvalidWebhook("webhook-timestamp is no time");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new InvalidWebhook(
      "webhook-timestamp is more than five minutes from your time: is it a replay, or is your clock wrong?",
    );
  }
  if (!(await isSigned(signedContent(id, timestamp, body), signatures, keys))) {
    throw new InvalidWebhook(
      "no signature is by your secret: is the body as it came, and is the secret this endpoint's?",
    );
  }
  const hint = jsonObject(typeof body === "string" ? body : new TextDecoder().decode(body));
  return { ...(hint as unknown as Omit<WebhookHint, "id">), id };
}

async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: string, keys: readonly WebhookKey[]) {
  for (const signature of signatures.split(" ")) {
    const [scheme, text = ""] = signature.split(",", 2);
    const bytes = fromBase64(text);
    for (const key of keys) {
      if (bytes !== null && key.scheme === scheme && (await key.verify(bytes, content))) return true;
    }
  }
  return false;
}

function bodyOf(rawBody: unknown): string | Uint8Array {
  if (typeof rawBody === "string" || rawBody instanceof Uint8Array) return rawBody;
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new InvalidRequest(
    "rawBody must be the body as it came, as text or bytes, and not what was parsed from it",
    "rawBody",
  );
}

async function keyOf(secret: string): Promise<WebhookKey> {
  const key = await webhookKey(secret).catch(() => null);
  if (key === null) throw new InvalidRequest("the webhook's secret is none: it begins with whsec_ or whpk_", "secrets");
  return key;
}

function headerOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = headers[name] ?? Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.[0];
}

/** `whsec_…` verifies `v1` (HMAC-SHA256), `whpk_…` verifies `v1a` (ed25519). Null: it is neither. */
async function webhookKey(secret: string): Promise<WebhookKey | null> {
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
function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  return content;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
