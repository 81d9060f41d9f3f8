import { createHash } from "node:crypto";
import type { Sql } from "@partner-connect/database";
import type { ChangeKind } from "./append-changes.ts";

/** A client has read its feed up to this number, assigned in this epoch. Number 0: nothing yet. */
export interface ChangesCursor {
  readonly number: number;
  /** Identifies the Postgres instance that assigned the number: DECISIONS.md, 'The cursor says which database it belongs to'. */
  readonly epoch: string;
}

const VERSION = 1;
const FORM = /^1\.(0|[1-9]\d{0,15})\.([0-9a-f]{12}|)\.([0-9a-f]{16})$/;

/** The opaque text for clients, at most 200 characters. */
export function formatCursor({ number, epoch }: ChangesCursor, clientId: string): string {
  const text = `${VERSION}.${number}.${epoch}`;
  return Buffer.from(`${text}.${checkOf(text, clientId)}`).toString("base64url");
}

/** Null if it is malformed, or was made for another client. */
export function parseCursor(text: string, clientId: string): ChangesCursor | null {
  const decoded = Buffer.from(text, "base64url").toString("latin1");
  const [, number = "", epoch = "", check] = FORM.exec(decoded) ?? [];
  const cursor = { number: Number(number), epoch };
  if (check === undefined || !Number.isSafeInteger(cursor.number)) return null;
  return formatCursor(cursor, clientId) === text ? cursor : null;
}

/** Detects mistakes. Forging a cursor gains nothing. */
function checkOf(text: string, clientId: string): string {
  return createHash("sha256").update(`${clientId} ${text}`).digest("hex").slice(0, 16);
}

export interface Change {
  readonly number: number;
  /** Null if it concerns no connection. */
  readonly connectionId: string | null;
  readonly shopId: string | null;
  readonly kind: ChangeKind;
  readonly at: Date;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  /** Cursor after this page: everything up to it has been returned. */
  readonly cursor: ChangesCursor;
  readonly hasMore: boolean;
}

interface Position {
  readonly last: number;
  readonly epoch: string;
  /** The last number of each former epoch. */
  readonly past: Readonly<Record<string, number>>;
}

type Row = Position & { readonly [Column in keyof Change]: Change[Column] | null };

const BEGINNING: ChangesCursor = { number: 0, epoch: "" };

/**
 * Reads a client's feed after `after` (null: from the beginning), oldest first, in one statement on one shard. Null: the cursor has
 * expired, because the database was restored to an earlier state, or a failover lost commits that this reader has seen. Indexes:
 * change_positions_pkey, changes_client_id_number_key.
 */
export async function readChanges(
  sql: Sql,
  clientId: string,
  after: ChangesCursor | null,
  limit: number,
): Promise<ChangesPage | null> {
  const from = after ?? BEGINNING;
  const rows = await sql<Row[]>`
    SELECT position.number::float8 AS last, epoch, past, entry.number::float8 AS number, nullif(connection_id, '') AS "connectionId",
      shop_id AS "shopId", kind, at
    FROM oauth.change_positions AS position
      LEFT JOIN LATERAL (
        SELECT * FROM oauth.changes WHERE client_id = ${clientId} AND number > ${from.number} ORDER BY number LIMIT ${limit + 1}
      ) AS entry ON true
    WHERE position.client_id = ${clientId} ORDER BY entry.number`;
  const [position] = rows;
  if (!position) return from.number === 0 ? { changes: [], cursor: BEGINNING, hasMore: false } : null;
  if (!isGood(from, position)) return null;
  const found = rows.filter((row): row is Row & Change => row.number !== null);
  const changes = found.slice(0, limit).map(({ last: _, epoch: __, past: ___, ...change }) => change);
  const hasMore = found.length > limit;
  const number = (hasMore ? changes.at(-1)?.number : undefined) ?? position.last;
  return { changes, cursor: { number, epoch: epochOf(number, position) }, hasMore };
}

/** True if the number was assigned in this database's own history. */
function isGood({ number, epoch }: ChangesCursor, position: Position): boolean {
  if (number === 0) return true;
  return number <= (epoch === position.epoch ? position.last : (position.past[epoch] ?? -1));
}

/** The epoch in which a number was assigned: numbers grow from one epoch to the next. */
function epochOf(number: number, { epoch, past }: Position): string {
  const since = Object.entries(past).filter(([, last]) => last >= number);
  return since.toSorted(([, one], [, other]) => one - other)[0]?.[0] ?? epoch;
}
