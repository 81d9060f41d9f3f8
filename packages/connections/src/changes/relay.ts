import type { Sql } from "@partner-connect/database";
import { appendChanges, type ChangeKind, type NewChange } from "./append-changes.ts";

export interface RelayRound {
  readonly notes: number;
  readonly entries: number;
  /** Of the oldest note of this round; null: there was none. */
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

export interface RelayOptions {
  /** Notes of a round, at most (default: 1000). */
  readonly limit?: number;
}

/** Only notes of this time before the newest one are looked for, where a look at all of them takes long. */
const RECENT_MS = 10_000;
/** The rest after a look at all, in multiples of what the look took, up to LONGEST_REST_MS. */
const REST = 20;
const LONGEST_REST_MS = 5000;

/**
 * Makes rounds. Each writes what the oldest notes say to the feeds of their clients, then deletes those notes. Ended anywhere, a next round
 * repeats it. Two relays at once do no harm. Repeat it at once while there were notes. Needs the role `worker`.
 */
export function relayRounds(sql: Sql, { limit = 1000 }: RelayOptions = {}): () => Promise<RelayRound> {
  /** Behind the last note of a full round, where the next one goes on. */
  let next: string | null = null;
  let newest = "";
  let allAt = 0;

  /** A long snapshot keeps dead notes, past which a look at all has to go. So it is seldom then. Index: change_notes_by_age. */
  async function findNotes(): Promise<readonly Note[]> {
    const began = performance.now();
    const from = next ?? (began < allAt ? before(newest, RECENT_MS) : "");
    next = null;
    const notes = await sql<Note[]>`
      SELECT shop_id AS "shopId", id, client_id AS "clientId", connection_id AS "connectionId", kinds, gone, at
      FROM oauth.change_notes WHERE id > ${from} ORDER BY id LIMIT ${limit}`;
    const ended = performance.now();
    if (from === "") allAt = ended + Math.min((ended - began) * REST, LONGEST_REST_MS);
    for (const { id } of notes) if (id > newest) newest = id;
    return notes;
  }

  return async () => {
    const notes = await findNotes();
    if (notes.length === 0) return { notes: 0, entries: 0, oldestAt: null };
    const ofShops = notes.filter(({ clientId }) => clientId === null).map(({ shopId }) => shopId);
    const entries = await appendChanges(sql, changesOf(notes, await connectedWith(sql, ofShops)));
    await sql`
      DELETE FROM oauth.change_notes
      WHERE shop_id = ANY (${[...new Set(notes.map(({ shopId }) => shopId))]}::text[])
        AND id = ANY (${notes.map(({ id }) => id)}::text[])`;
    if (notes.length === limit) next = notes.at(-1)?.id ?? null;
    return { notes: notes.length, entries, oldestAt: new Date(Math.min(...notes.map(({ at }) => at.getTime()))) };
  };
}

const PREFIX = "note_";
/** Of a UUID of version 7: its milliseconds. */
const TIME_DIGITS = 12;

/** No id of a note that is so much older than this one is behind it. */
function before(id: string, milliseconds: number): string {
  const time = Number.parseInt(id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS), 16) - milliseconds;
  return time > 0 ? PREFIX + time.toString(16).padStart(TIME_DIGITS, "0") : "";
}

/** How many notes wait, and since when. Reads all of them. */
export async function waitingNotes(sql: Sql): Promise<{ readonly notes: number; readonly oldestAt: Date | null }> {
  const [row] = await sql<{ notes: number; oldestAt: Date | null }[]>`
    SELECT count(*)::int AS notes, min(at) AS "oldestAt" FROM oauth.change_notes`;
  return row ?? { notes: 0, oldestAt: null };
}

/** The connections of these shops, by shop; held ones too. One that begins later leaves a note by itself. Index: connections_pkey. */
async function connectedWith(sql: Sql, shopIds: readonly string[]): Promise<Map<string, Connected[]>> {
  const found = new Map<string, Connected[]>();
  if (shopIds.length === 0) return found;
  const rows = await sql<Connected[]>`
    SELECT shop_id AS "shopId", client_id AS "clientId", id AS "connectionId" FROM oauth.connections
    WHERE shop_id = ANY (${[...new Set(shopIds)]}::text[]) AND status = 'connected'`;
  for (const row of rows) found.set(row.shopId, [...(found.get(row.shopId) ?? []), row]);
  return found;
}

/** Of each connection and kind one entry, in the order of their last notes. */
function changesOf(notes: readonly Note[], connected: ReadonlyMap<string, readonly Connected[]>): NewChange[] {
  const changes = new Map<string, NewChange>();
  for (const note of notes) {
    const { shopId, clientId, connectionId, kinds, at } = note;
    const concerned =
      clientId === null || connectionId === null ? (connected.get(shopId) ?? []) : [{ clientId, connectionId }];
    for (const { clientId, connectionId } of concerned) {
      for (const kind of kinds) {
        const key = `${connectionId} ${kind}`;
        const gone = note.gone || changes.get(key)?.gone === true;
        changes.delete(key);
        changes.set(key, { clientId, connectionId, shopId, kind, at, gone });
      }
    }
  }
  return [...changes.values()];
}
