import type { Decision } from "@partner-connect/connections";
import { hashCredential } from "@partner-connect/directory";
import { derived, type OpenAuthorization } from "./sealed-request.ts";

/** An approval's choice. */
export type Choice = readonly [merchantId: string, shopId: string, ...scope: string[]];

/** The key of the authorization's row in `oauth.decisions`. */
export function authorizationHash({ secret }: Pick<OpenAuthorization, "secret">): Buffer {
  return hashCredential(secret);
}

/** What is recorded of an answer: an approval with its choice, or a decline. */
export function decisionOf(
  authorization: OpenAuthorization,
  answer: readonly ["decline"] | readonly ["approve", ...Choice],
): Decision {
  const hash = Buffer.from(derived(authorization.secret, "answer", ...answer), "base64url");
  return { authorizationHash: authorizationHash(authorization), answer: hash };
}

/** The id of the grant that the choice leads to. */
export function grantOf({ secret }: OpenAuthorization, choice: Choice): string {
  return derived(secret, "grant", ...choice);
}

/** The code that the choice leads to. */
export function codeOf({ secret }: OpenAuthorization, choice: Choice): string {
  return derived(secret, "code", ...choice);
}
