import { createHmac } from "node:crypto";
import { hashCredential } from "@partner-connect/directory";

/* What is derived from an authorization's secret. The same decision always leads to the same values. */

/** What an approval grants. */
export interface Choice {
  readonly merchantId: string;
  readonly shopId: string;
  readonly scope: readonly string[];
}

/** The key of the authorization's row in `oauth.decisions`. */
export const authorizationHash = hashCredential;

/** Keyed hash of a decision, as its row in `oauth.decisions` has it. */
export function answerHash(secret: string, answer: Choice | "decline"): Buffer {
  const parts = answer === "decline" ? [answer] : ["approve", ...partsOf(answer)];
  return Buffer.from(derived(secret, "answer", ...parts), "base64url");
}

/** The id of the grant that the choice leads to: 256 bits, base64url. */
export function grantIdOf(secret: string, choice: Choice): string {
  return derived(secret, "grant", ...partsOf(choice));
}

/** The authorization code that the choice leads to: 256 bits, base64url. */
export function codeOf(secret: string, choice: Choice): string {
  return derived(secret, "code", ...partsOf(choice));
}

const partsOf = ({ merchantId, shopId, scope }: Choice) => [merchantId, shopId, ...scope];

function derived(secret: string, ...parts: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}
