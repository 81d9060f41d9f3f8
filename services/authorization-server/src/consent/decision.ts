import type { Decision } from "@partner-connect/connections";
import { type Transaction, transaction } from "@partner-connect/database";
import { hashCredential } from "@partner-connect/directory";
import { beforeDeadline, DEADLINE_MS } from "../pages/page-context.ts";
import type { ConsentContext } from "./consent-context.ts";
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

/**
 * Runs the transaction of a decision within a page's deadline. Postgres ends it before the deadline, so nothing is committed after the
 * merchant was told of a fault.
 */
export async function decideBeforeDeadline<T>(
  { sql }: ConsentContext,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + DEADLINE_MS - COMMIT_MS;
  const committed = transaction(sql, async (tx) => {
    const left = Math.floor(endsAt - performance.now());
    if (left <= 0) throw new LateTransactionError("no connection to Postgres in time");
    await tx`SELECT set_config('transaction_timeout', ${`${left}ms`}, true)`;
    return await work(tx);
  });
  return await beforeDeadline(committed);
}

/** What is left of the deadline for the answer to the commit. */
const COMMIT_MS = 200;

class LateTransactionError extends Error {
  readonly code = "DATABASE_DEADLINE";
}
