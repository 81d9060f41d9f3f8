import { hash, hkdfSync, randomBytes } from "node:crypto";
import { Webhook as Signer } from "standardwebhooks";
import { type SecretSource, WebhookError } from "./webhook.ts";

const MIN_LENGTH = 32;

/** A key from which endpoints' secrets are derived. It is in no database. */
export interface WebhookKey {
  /** Stored with each secret, to identify its key. */
  readonly id: string;
  readonly text: string;
}

/**
 * Newest first; new secrets use the first key. A former key is needed while an endpoint has a
 * secret derived from it.
 */
export type WebhookKeys = readonly [WebhookKey, ...WebhookKey[]];

/** Parses keys separated by blanks or commas. @throws {WebhookError} WEBHOOK_KEY */
export function parseWebhookKeys(text: string | undefined): WebhookKeys {
  const [first, ...former] = (text ?? "").split(/[\s,]/).filter((key) => key !== "");
  if (first === undefined) throw new WebhookError("WEBHOOK_KEY", "WEBHOOK_KEY_FILE is not set");
  if ([first, ...former].some((key) => key.length < MIN_LENGTH)) {
    const problem = `a key of WEBHOOK_KEY_FILE is shorter than ${MIN_LENGTH} characters`;
    throw new WebhookError("WEBHOOK_KEY", problem);
  }
  return [keyOf(first), ...former.map(keyOf)];
}

function keyOf(text: string): WebhookKey {
  return { id: hash("sha256", `webhook key ${text}`).slice(0, 12), text };
}

export function newSecretSource([newest]: WebhookKeys): SecretSource {
  return { key_id: newest.id, salt: randomBytes(16).toString("base64url"), expires_at: null };
}

/** The secret, `whsec_…`. @throws {WebhookError} WEBHOOK_KEY if `keys` lacks the secret's key */
export function endpointSecret(
  keys: WebhookKeys,
  endpointId: string,
  { key_id, salt }: SecretSource,
): string {
  const key = keys.find(({ id }) => id === key_id);
  if (!key) {
    const problem = `WEBHOOK_KEY_FILE lacks the key ${key_id}, which made a secret of ${endpointId}`;
    throw new WebhookError("WEBHOOK_KEY", problem);
  }
  return `whsec_${Buffer.from(hkdfSync("sha256", key.text, salt, `v1 ${endpointId}`, 32)).toString("base64")}`;
}

/** Signs a webhook with each secret valid at `now`. @throws {WebhookError} WEBHOOK_KEY */
export function signWebhook(
  keys: WebhookKeys,
  endpoint: { readonly id: string; readonly secrets: readonly SecretSource[] },
  webhook: { readonly id: string; readonly body: string },
  now: Date,
): Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  const working = endpoint.secrets.filter(
    ({ expires_at }) => expires_at === null || new Date(expires_at) > now,
  );
  const signatures = working.map((source) =>
    new Signer(endpointSecret(keys, endpoint.id, source)).sign(webhook.id, now, webhook.body),
  );
  return {
    "webhook-id": webhook.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
