import type { Queries } from "@partner-connect/database";

/** A merchant's answer to an authorization. Both values are hashes, so that the row is of no use to others. */
export interface Decision {
  /** SHA-256 of the authorization's secret. */
  readonly authorizationHash: Buffer;
  /** Keyed hash of what was decided. */
  readonly answer: Buffer;
}

/** 'new': it counts. `secondsAgo`: since the same answer was given, which counts. 'other': another answer was first. */
export type DecisionOutcome = "new" | { readonly secondsAgo: number } | "other";

/**
 * Records the decision: the first one counts. It waits for another one of the same authorization that is not committed yet, so it belongs
 * into the transaction of what it decides. Index: decisions_pkey.
 */
export async function recordDecision(tx: Queries, { authorizationHash, answer }: Decision): Promise<DecisionOutcome> {
  const inserted = await tx`
    INSERT INTO oauth.decisions (authorization_hash, answer) VALUES (${authorizationHash}, ${answer})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (inserted.length > 0) return "new";
  const [row] = await tx<{ secondsAgo: number }[]>`
    SELECT extract(epoch FROM clock_timestamp() - decided_at)::float8 AS "secondsAgo" FROM oauth.decisions
    WHERE authorization_hash = ${authorizationHash} AND answer = ${answer}`;
  return row ?? "other";
}

/** Takes back a decision that was recorded in the same transaction. */
export async function withdrawDecision(tx: Queries, { authorizationHash }: Decision): Promise<void> {
  await tx`DELETE FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
}

/** Whether the authorization is decided. Index: decisions_pkey. */
export async function isDecided(sql: Queries, authorizationHash: Buffer): Promise<boolean> {
  const rows = await sql`SELECT FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
  return rows.length > 0;
}
