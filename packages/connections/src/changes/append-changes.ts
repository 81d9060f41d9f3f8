import { type Sql, type Transaction, transaction } from "@partner-connect/database";

/** Entries of kind `webhook` concern the client; all others concern one of its connections. */
export type ChangeKind = "responses" | "deletions" | "questions" | "connection" | "webhook";

export interface NewChange {
  readonly clientId: string;
  /** Empty for a change that concerns no connection. */
  readonly connectionId: string;
  readonly shopId: string | null;
  readonly kind: ChangeKind;
  readonly at: Date;
  /** The connection's row is deleted; only its entry of kind 'connection' stays. */
  readonly gone?: boolean;
}

/**
 * Entries per transaction. A transaction of this size takes some tens of milliseconds, during which
 * its clients' feeds are locked.
 */
const BATCH = 5000;

/**
 * Appends the changes, in this order, to their clients' feeds with consecutive numbers. Returns how
 * many were appended; those of deleted clients are skipped.
 */
export async function appendChanges(sql: Sql, changes: readonly NewChange[]): Promise<number> {
  // Transactions lock clients in the same order, to avoid deadlocks.
  const inOrder = changes.toSorted((one, other) => compare(one.clientId, other.clientId));
  let written = 0;
  for (let from = 0; from < inOrder.length; from += BATCH) {
    const batch = inOrder.slice(from, from + BATCH);
    written += await transaction(sql, (tx) => appendChangesIn(tx, batch));
  }
  return written;
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/**
 * Like {@link appendChanges}, in the caller's transaction. The changes must be sorted by client.
 */
export async function appendChangesIn(tx: Transaction, changes: readonly NewChange[]) {
  const counts = new Map<string, number>();
  for (const { clientId } of changes) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  const next = await takeNumbers(tx, counts);
  const rows = changes.flatMap((change) => {
    const number = next.get(change.clientId);
    if (number === undefined) return [];
    next.set(change.clientId, number + 1);
    return [{ ...change, number }];
  });
  if (rows.length === 0) return 0;
  // Add webhook jobs after locking the positions: a job that starts early waits for that lock.
  await tx`SELECT oauth.add_webhook_jobs(${[...next.keys()]}::text[], NULL)`;
  const column = <Name extends keyof (typeof rows)[number]>(name: Name) =>
    rows.map((row) => row[name]);
  await tx`
    INSERT INTO oauth.changes AS stored (client_id, connection_id, kind, shop_id, number, at, gone)
    SELECT * FROM unnest(${column("clientId")}::text[], ${column("connectionId")}::text[], ${column("kind")}::text[],
      ${column("shopId")}::text[], ${column("number")}::bigint[], ${rows.map(({ at }) => at.toISOString())}::timestamptz[],
      ${rows.map(({ gone = false }) => String(gone))}::text[]::boolean[])
    ON CONFLICT (client_id, connection_id, kind) DO UPDATE SET
      number = excluded.number, shop_id = excluded.shop_id, at = excluded.at, gone = stored.gone OR excluded.gone`;
  return rows.length;
}

/**
 * Locks the clients' positions until commit, and returns each client's first new number. Indexes:
 * change_positions_pkey, clients_pkey.
 */
async function takeNumbers(tx: Transaction, counts: ReadonlyMap<string, number>) {
  const rows = await tx<{ clientId: string; number: number }[]>`
    INSERT INTO oauth.change_positions AS position (client_id, number)
    SELECT client_id, count FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) AS more (client_id, count)
      JOIN directory.clients USING (client_id) ORDER BY client_id
    ON CONFLICT (client_id) DO UPDATE SET number = position.number + excluded.number
    RETURNING client_id AS "clientId", number::float8 AS number`;
  return new Map(
    rows.map(({ clientId, number }) => [clientId, number - (counts.get(clientId) ?? 0) + 1]),
  );
}
