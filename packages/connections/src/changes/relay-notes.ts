import type { Sql } from "@partner-connect/database";
import { appendChanges, type ChangeKind, type NewChange } from "./append-changes.ts";

export interface RelayRound {
  readonly notes: number;
  readonly entries: number;
  /** Time of the oldest note of this round; null if there was none. */
  readonly oldestAt: Date | null;
}

interface Note {
  readonly shopId: string;
  readonly id: string;
  readonly clientId: string | null;
  readonly connectionId: string | null;
  readonly kinds: readonly ChangeKind[];
  readonly gone: boolean;
  readonly at: Date;
}

interface Connected {
  readonly shopId: string;
  readonly clientId: string;
  readonly connectionId: string;
}

/**
 * Returns a function that runs one round: it appends entries for the oldest notes to their clients'
 * feeds, then deletes those notes. An interrupted round is repeated; concurrent relays are
 * harmless. If a round had notes, run the next one immediately. Needs the role `worker`.
 */
export function noteRelay(sql: Sql, limit = 1000): () => Promise<RelayRound> {
  // The last id of a full round. The next round continues after it, to skip index entries of
  // deleted notes. Any other round begins with the oldest note: lower ids may commit later.
  let last = "";

  return async () => {
    // Index: change_notes_by_age.
    const notes = await sql<Note[]>`
      SELECT shop_id AS "shopId", id, client_id AS "clientId", connection_id AS "connectionId", kinds, gone, at
      FROM oauth.change_notes WHERE id > ${last} ORDER BY id LIMIT ${limit}`;
    last = "";
    if (notes.length === 0) return { notes: 0, entries: 0, oldestAt: null };
    const ofShops = notes.filter(({ clientId }) => clientId === null).map(({ shopId }) => shopId);
    const entries = await appendChanges(sql, changesOf(notes, await connectionsOf(sql, ofShops)));
    await sql`
      DELETE FROM oauth.change_notes
      WHERE shop_id = ANY (${[...new Set(notes.map(({ shopId }) => shopId))]}::text[])
        AND id = ANY (${notes.map(({ id }) => id)}::text[])`;
    if (notes.length === limit) last = notes.at(-1)?.id ?? "";
    return {
      notes: notes.length,
      entries,
      oldestAt: new Date(Math.min(...notes.map(({ at }) => at.getTime()))),
    };
  };
}

/** The number of waiting notes, and the time of the oldest. Reads the whole table. */
export async function countNotes(
  sql: Sql,
): Promise<{ readonly notes: number; readonly oldestAt: Date | null }> {
  const [row] = await sql<{ notes: number; oldestAt: Date | null }[]>`
    SELECT count(*)::int AS notes, min(at) AS "oldestAt" FROM oauth.change_notes`;
  return row ?? { notes: 0, oldestAt: null };
}

/**
 * The connections of each shop, including those on hold. Later connections add their own notes.
 * Index: connections_pkey.
 */
async function connectionsOf(
  sql: Sql,
  shopIds: readonly string[],
): Promise<Map<string, Connected[]>> {
  const found = new Map<string, Connected[]>();
  if (shopIds.length === 0) return found;
  const rows = await sql<Connected[]>`
    SELECT shop_id AS "shopId", client_id AS "clientId", id AS "connectionId" FROM oauth.connections
    WHERE shop_id = ANY (${[...new Set(shopIds)]}::text[]) AND status = 'connected'`;
  for (const row of rows) found.set(row.shopId, [...(found.get(row.shopId) ?? []), row]);
  return found;
}

/** One entry per connection and kind, in the order of their last notes. */
function changesOf(
  notes: readonly Note[],
  connected: ReadonlyMap<string, readonly Connected[]>,
): NewChange[] {
  const changes = new Map<string, NewChange>();
  for (const note of notes) {
    const { shopId, clientId, connectionId, kinds, at } = note;
    const concerned =
      clientId === null || connectionId === null
        ? (connected.get(shopId) ?? [])
        : [{ clientId, connectionId }];
    for (const { clientId, connectionId } of concerned) {
      for (const kind of kinds) {
        const key = `${clientId} ${connectionId} ${kind}`;
        const gone = note.gone || changes.get(key)?.gone === true;
        changes.delete(key);
        changes.set(key, { clientId, connectionId, shopId: shopId || null, kind, at, gone });
      }
    }
  }
  return [...changes.values()];
}
