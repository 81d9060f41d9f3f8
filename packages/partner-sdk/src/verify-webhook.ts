import { InvalidRequest, InvalidWebhook } from "./errors.ts";
import { jsonObject } from "./network.ts";

// Standard Webhooks 1.0.0, by Web Crypto:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** Your feed has changes of these kinds; read them with `follow` or `changes`. */
export interface WebhookHint {
  /** The same for each retry of a webhook. */
  readonly id: string;
  readonly type: "changes" | (string & {});
  readonly timestamp: string;
  readonly data: { readonly client_id: string; readonly kinds: readonly string[] };
}

/** Headers of `fetch` or of Node's servers. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Returns the webhook, if it was signed with one of your secrets within five minutes.
 * @param rawBody the body's bytes or text as received, not parsed
 * @param secrets `whsec_…`; several during a rotation
 * @throws {InvalidWebhook} answer 400 @throws {InvalidRequest} `rawBody` or a secret is malformed
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookHint> {
  if (
    typeof rawBody !== "string" &&
    !(rawBody instanceof Uint8Array) &&
    !(rawBody instanceof ArrayBuffer)
  ) {
    const message = "rawBody must be the body as it was received, as text or bytes, and not parsed";
    throw new InvalidRequest(message, "rawBody");
  }
  const body =
    typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody);
  const keys = await Promise.all([secrets].flat().map(webhookKey));
  const header = (name: string): string => {
    const entries = headers instanceof Headers ? headers : Object.entries(headers);
    for (const [other, value] of entries) {
      const text = typeof value === "string" ? value : value?.[0];
      if (other.toLowerCase() === name && text) return text;
    }
    throw new InvalidWebhook(`the header ${name} is missing`);
  };
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const signatures = header("webhook-signature").split(" ");
  if (!/^\d{1,12}$/.test(timestamp)) throw new InvalidWebhook("webhook-timestamp is not a time");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new InvalidWebhook(
      "webhook-timestamp is more than five minutes from your time: is it a replay, or is your clock wrong?",
    );
  }
  const content = new Uint8Array(await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer());
  for (const signature of signatures) {
    const [scheme, text = ""] = signature.split(",", 2);
    const bytes = scheme === "v1" ? fromBase64(text) : null;
    for (const key of keys) {
      if (bytes === null || !(await crypto.subtle.verify("HMAC", key, bytes, content))) continue;
      return { ...(jsonObject(new TextDecoder().decode(body)) as unknown as WebhookHint), id };
    }
  }
  throw new InvalidWebhook(
    "no signature matches your secret: is the body as received, and the secret this endpoint's?",
  );
}

/** @throws {InvalidRequest} */
async function webhookKey(secret: string) {
  const bytes = fromBase64(/^whsec_(.+)$/.exec(secret)?.[1] ?? "");
  if (!bytes?.length) throw new InvalidRequest("a webhook's secret begins with whsec_", "secrets");
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
