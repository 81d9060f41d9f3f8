import type { Queries } from "@partner-connect/database";

/** A merchant's decision. Both values are hashes, so a stored decision is useless to others. */
export interface Decision {
  /** SHA-256 of the authorization's secret. */
  readonly authorizationHash: Buffer;
  /** Keyed hash of the choice. */
  readonly choiceHash: Buffer;
}

/** 'new': this decision counts. 'repeated': the first one was equal. 'other': it was different. */
export type DecisionOutcome =
  | { readonly outcome: "new" }
  | { readonly outcome: "other" }
  | { readonly outcome: "repeated"; readonly secondsAgo: number };

/**
 * Records the decision in the caller's transaction. The first decision counts; a concurrent one
 * waits. Index: decisions_pkey.
 */
export async function recordDecision(
  tx: Queries,
  { authorizationHash, choiceHash }: Decision,
): Promise<DecisionOutcome> {
  const inserted = await tx`
    INSERT INTO oauth.decisions (authorization_hash, choice_hash) VALUES (${authorizationHash}, ${choiceHash})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (inserted.length > 0) return { outcome: "new" };
  const [row] = await tx<{ secondsAgo: number }[]>`
    SELECT extract(epoch FROM clock_timestamp() - decided_at)::float8 AS "secondsAgo" FROM oauth.decisions
    WHERE authorization_hash = ${authorizationHash} AND choice_hash = ${choiceHash}`;
  return row ? { outcome: "repeated", ...row } : { outcome: "other" };
}

/** Undoes `recordDecision` in a transaction that commits although the decision is refused. */
export async function withdrawDecision(tx: Queries, { authorizationHash }: Decision) {
  await tx`DELETE FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
}

/** Index: decisions_pkey. */
export async function isDecided(sql: Queries, authorizationHash: Buffer): Promise<boolean> {
  const rows =
    await sql`SELECT FROM oauth.decisions WHERE authorization_hash = ${authorizationHash}`;
  return rows.length > 0;
}
