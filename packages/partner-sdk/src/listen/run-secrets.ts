import { signedContent } from "../webhooks/standard-webhooks.ts";

/** The secrets of one run, and what signs with them. */
export interface RunSecrets {
  /** Verifies `v1`. */
  readonly secret: string;
  /** Verifies `v1a`. */
  readonly publicKey: string;
  /** The headers of Standard Webhooks. */
  headers(id: string, at: Date, body: string): Promise<Readonly<Record<string, string>>>;
}

type Key = Parameters<typeof crypto.subtle.sign>[1];
type KeyPair = { readonly publicKey: Key; readonly privateKey: Key };

export async function runSecrets(): Promise<RunSecrets> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const shared = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const pair = (await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"])) as unknown as KeyPair;
  return {
    secret: `whsec_${base64(bytes)}`,
    publicKey: `whpk_${base64(await crypto.subtle.exportKey("raw", pair.publicKey))}`,
    async headers(id, at, body) {
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const content = signedContent(id, timestamp, body);
      const v1 = base64(await crypto.subtle.sign("HMAC", shared, content));
      const v1a = base64(await crypto.subtle.sign("Ed25519", pair.privateKey, content));
      return {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${v1} v1a,${v1a}`,
        "content-type": "application/json",
      };
    },
  };
}

function base64(bytes: Uint8Array | ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
