import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { WebhookError } from "../webhook-error.ts";
import type { WebhookKeys } from "./webhook-keys.ts";

/** What an endpoint's row says of a secret. It is worth nothing without the key. */
export interface SecretSource {
  readonly key_id: string;
  readonly salt: string;
  /** RFC 3339; null: until it is rotated. */
  readonly expires_at: string | null;
}

/** What the partner gets. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export interface EndpointSecret {
  /** `whsec_…`: of the signatures `v1`, HMAC-SHA256. */
  readonly secret: string;
  /** `whpk_…`: of the signatures `v1a`, Ed25519. */
  readonly publicKey: string;
}

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

export function newSecretSource([newest]: WebhookKeys): SecretSource {
  return { key_id: newest.id, salt: randomBytes(16).toString("base64url"), expires_at: null };
}

/** @throws {WebhookError} WEBHOOK_KEY: the key file has no such key */
export function endpointSecret(keys: WebhookKeys, endpointId: string, source: SecretSource): EndpointSecret {
  const { shared, privateKey } = derive(keys, endpointId, source);
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return {
    secret: `whsec_${shared.toString("base64")}`,
    publicKey: `whpk_${spki.subarray(-32).toString("base64")}`,
  };
}

/** The headers of a hint: signed by each secret that works at `now`, in both ways. @throws {WebhookError} WEBHOOK_KEY */
export function signHint(
  keys: WebhookKeys,
  endpoint: { readonly id: string; readonly secrets: readonly SecretSource[] },
  hint: { readonly id: string; readonly body: string },
  now: Date,
): SignedHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const content = `${hint.id}.${timestamp}.${hint.body}`;
  const working = endpoint.secrets.filter(({ expires_at }) => expires_at === null || new Date(expires_at) > now);
  const derived = working.map((source) => derive(keys, endpoint.id, source));
  const signatures = [
    ...derived.map(({ shared }) => `v1,${createHmac("sha256", shared).update(content).digest("base64")}`),
    ...derived.map(({ privateKey }) => `v1a,${sign(null, Buffer.from(content), privateKey).toString("base64")}`),
  ];
  return {
    "webhook-id": hint.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** RFC 8410 §7: what stands before the 32 bytes of a private Ed25519 key. */
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");

function derive(keys: WebhookKeys, endpointId: string, { key_id, salt }: SecretSource) {
  const key = keys.find(({ id }) => id === key_id);
  if (!key) {
    throw new WebhookError(
      "WEBHOOK_KEY",
      `WEBHOOK_KEY_FILE lacks the key ${key_id}, which made a secret of ${endpointId}`,
    );
  }
  const bytes = (version: string) => Buffer.from(hkdfSync("sha256", key.text, salt, `${version} ${endpointId}`, 32));
  const privateKey: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, bytes("v1a")]),
    format: "der",
    type: "pkcs8",
  });
  return { shared: bytes("v1"), privateKey };
}
