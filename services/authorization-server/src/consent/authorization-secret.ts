import { createHmac } from "node:crypto";
import type { Decision } from "@partner-connect/connections";
import { hashCredential } from "@partner-connect/directory";

/* Values derived from an authorization's secret, so that an equal decision has equal values. */

/** What an approval grants. */
export interface Choice {
  readonly merchantId: string;
  readonly shopId: string;
  readonly scope: readonly string[];
}

/** The key of the authorization's row in `oauth.decisions`. */
export const authorizationHash = hashCredential;

/** The row of a decision in `oauth.decisions`. */
export function decisionOf(secret: string, choice: Choice | "decline"): Decision {
  const parts = choice === "decline" ? [choice] : ["approve", ...partsOf(choice)];
  const choiceHash = Buffer.from(derive(secret, "decision", ...parts), "base64url");
  return { authorizationHash: authorizationHash(secret), choiceHash };
}

/** The id of the grant for this choice: 256 bits, base64url. */
export function grantIdOf(secret: string, choice: Choice): string {
  return derive(secret, "grant", ...partsOf(choice));
}

/** The authorization code for this choice: 256 bits, base64url. */
export function codeOf(secret: string, choice: Choice): string {
  return derive(secret, "code", ...partsOf(choice));
}

const partsOf = ({ merchantId, shopId, scope }: Choice) => [merchantId, shopId, ...scope];

function derive(secret: string, ...parts: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}
