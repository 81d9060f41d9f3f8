import type { Queries } from "@partner-connect/database";

/**
 * A merchant's answer to an authorization. Both values are hashes, so the row is useless to others.
 */
export interface Decision {
  /** SHA-256 of the authorization's secret. */
  readonly authorizationHash: Buffer;
  /** Keyed hash of the answer. */
  readonly answer: Buffer;
}

/**
 * 'new': this decision counts. 'same': the same answer was given before. 'other': another answer
 * was first.
 */
export type DecisionOutcome =
  | { readonly outcome: "new" }
  | { readonly outcome: "other" }
  | { readonly outcome: "same"; readonly secondsAgo: number };

/**
 * Records the decision in its transaction; the first one counts, and a concurrent one waits. Index:
 * decisions_pkey.
 */
export async function recordDecision(
  tx: Queries,
  { authorizationHash, answer }: Decision,
): Promise<DecisionOutcome> {
  const inserted = await tx`
    INSERT INTO oauth.decisions (authorization_hash, answer) VALUES (${authorizationHash}, ${answer})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (inserted.length > 0) return { outcome: "new" };
  const [row] = await tx<{ secondsAgo: number }[]>`
    SELECT extract(epoch FROM clock_timestamp() - decided_at)::float8 AS "secondsAgo" FROM oauth.decisions
    WHERE authorization_hash = ${authorizationHash} AND answer = ${answer}`;
  return row ? { outcome: "same", ...row } : { outcome: "other" };
}

/** Deletes a decision recorded in the same transaction. */
export async function withdrawDecision(tx: Queries, { authorizationHash }: Decision) {
  await tx`DELETE FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
}

/** True if the authorization is decided. Index: decisions_pkey. */
export async function isDecided(sql: Queries, authorizationHash: Buffer): Promise<boolean> {
  const rows =
    await sql`SELECT FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
  return rows.length > 0;
}
