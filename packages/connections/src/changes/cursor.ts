import { createHash } from "node:crypto";

/** How far a client has read its feed: the number, 0 before the first entry, and its epoch. */
export interface ChangesCursor {
  readonly number: number;
  /**
   * Identifies the database and the start of Postgres that assigned the number; each restart begins
   * a new epoch (DECISIONS.md, 'The cursor says which database it belongs to').
   */
  readonly epoch: string;
}

const VERSION = 1;

/** The opaque text for clients, at most 200 characters. */
export function formatCursor({ number, epoch }: ChangesCursor, clientId: string): string {
  const text = `${VERSION}.${number}.${epoch}`;
  return Buffer.from(`${text}.${checksumOf(text, clientId)}`).toString("base64url");
}

/** The cursor, or null if the text is malformed or was made for another client. */
export function parseCursor(text: string, clientId: string): ChangesCursor | null {
  const [, number, epoch = ""] = Buffer.from(text, "base64url").toString().split(".");
  const cursor = { number: Number(number), epoch };
  if (!Number.isSafeInteger(cursor.number)) return null;
  return formatCursor(cursor, clientId) === text ? cursor : null;
}

/** A checksum against mistakes, not against forgery, which would gain nothing. */
function checksumOf(text: string, clientId: string): string {
  return createHash("sha256").update(`${clientId} ${text}`).digest("hex").slice(0, 16);
}

export const BEGINNING: ChangesCursor = { number: 0, epoch: "" };

/** A row of a feed, with the feed's position. If no entry is left, `number` is null. */
export interface FeedRow {
  /** The feed's last number. */
  readonly last: number;
  readonly epoch: string;
  /** The last number of each former epoch. */
  readonly past: Readonly<Record<string, number>>;
  readonly number: number | null;
}

/**
 * The page after `from`. `rows` are up to `limit` + 1 rows of one snapshot, ordered by number. Null
 * if the cursor has expired, because the database was restored to an earlier state, or a failover
 * lost commits that this reader has seen.
 */
export function pageOf<Row extends FeedRow>(
  from: ChangesCursor,
  rows: readonly Row[],
  limit: number,
) {
  const [position] = rows;
  if (!position || !isInHistory(from, position)) return null;
  const found = rows.filter((row): row is Row & { readonly number: number } => row.number !== null);
  const page = found.slice(0, limit);
  const hasMore = found.length > limit;
  const number = (hasMore ? page.at(-1)?.number : undefined) ?? position.last;
  /** Everything up to the cursor has been returned. */
  return { page, cursor: { number, epoch: epochOf(number, position) }, hasMore };
}

/** True if the number was assigned in this database's own history. */
function isInHistory({ number, epoch }: ChangesCursor, position: FeedRow): boolean {
  if (number === 0) return true;
  return number <= (epoch === position.epoch ? position.last : (position.past[epoch] ?? -1));
}

/** The epoch in which a number was assigned: numbers grow from one epoch to the next. */
function epochOf(number: number, { epoch, past }: FeedRow): string {
  const since = Object.entries(past).filter(([, last]) => last >= number);
  return since.toSorted(([, one], [, other]) => one - other)[0]?.[0] ?? epoch;
}
