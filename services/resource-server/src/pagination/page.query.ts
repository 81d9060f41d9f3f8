import type { Statement } from "../statement.ts";
import type { Cursor, TimeRange } from "./page-parameters.ts";

/** Joins two records. A constraint forbids line breaks in records. */
export const SEPARATOR = ",\n";

export interface PageQuery {
  /** The caller's state: see {@link callerStateSql}. */
  readonly caller: string;
  /**
   * An SQL expression: the time by which the cursor's record is sorted now (for questions, an id),
   * or NULL if the cursor is unknown. Other parts use {@link CURRENT_KEY}. Null without a cursor.
   */
  readonly currentKey: string | null;
  /** Has rows if a record comes before the page in reading order. */
  readonly hasBehind: string | null;
  /** A query for `doc` and the columns of `order`, with up to one record more than the limit. */
  readonly recordsSql: string;
  /** The reading order, such as `at DESC, id DESC`. With `ending_before` it is backward. */
  readonly order: string;
  readonly mostBytes?: number | undefined;
}

/**
 * Approximate bytes of records per row. For a row of a megabyte Postgres makes four copies, whose
 * page faults, 250 each, take half of the time of a list call.
 */
const CHUNK_BYTES = 64 * 1024;

/** The value of `currentKey` in the statement. */
const CURRENT_KEY = "(SELECT key FROM cursor)";

/**
 * A page's statement, for {@link Pages.read}. Postgres joins the records, and reads none unless the
 * caller may call. A page bounded in bytes arrives in rows of about {@link CHUNK_BYTES} bytes, in
 * any order; every other page is one row, as is an empty or refused one (hence LEFT JOIN). All
 * columns are text, which Postgres sends unconverted
 * (patches/postgres/06-raw-text-in-binary.patch).
 */
export function pageSql(statement: Statement, query: PageQuery): Statement {
  const { caller, currentKey, hasBehind, recordsSql, order, mostBytes } = query;
  const [chunk, source, grouped] =
    mostBytes === undefined
      ? ["'0'", recordsSql, ""]
      : ["chunk::text", chunksSql(query, statement.bind(mostBytes)), "\n  GROUP BY chunk"];
  const cursor = currentKey && `,\ncursor AS MATERIALIZED (SELECT ${currentKey} AS key)`;
  statement.text = `WITH caller AS MATERIALIZED (SELECT ${caller} AS state)${cursor ?? ""}
SELECT state,
  (${currentKey ? `state = 'allowed' AND ${CURRENT_KEY} IS NOT NULL` : "false"})::text AS cursor_known,
  (${hasBehind ? `state = 'allowed' AND EXISTS (${hasBehind})` : "false"})::text AS has_behind,
  chunk, count, records
FROM caller LEFT JOIN LATERAL (
  SELECT ${chunk} AS chunk, count(*)::text AS count,
    string_agg(doc, E',\\n' ORDER BY ${order}) AS records
  FROM (
${source}
  ) record WHERE caller.state = 'allowed'${grouped}
) page ON true`;
  return statement;
}

/**
 * The records in chunks, up to and including the one that reaches `mostBytes`, which `Pages.read`
 * drops. Postgres knows a document's length without reading it.
 */
function chunksSql({ recordsSql, order }: PageQuery, mostBytes: string): string {
  return `SELECT *, bytes / ${CHUNK_BYTES} AS chunk FROM (
SELECT *, sum(octet_length(doc) + ${SEPARATOR.length}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes FROM (
${recordsSql}) r) r
WHERE bytes - octet_length(doc) - ${SEPARATOR.length} < ${mostBytes}::bigint`;
}

/**
 * The direction of an index walk, as SQL. It is the sort's direction or, with `ending_before`, the
 * opposite, so that LIMIT keeps the records next to the cursor. Such a page is reversed afterwards.
 */
export interface Direction {
  readonly order: "ASC" | "DESC";
  /** The order of a walk in the other direction, which shows whether records precede the page. */
  readonly opposite: "ASC" | "DESC";
  /** Compares a key with the excluded start of the walk: `(r.inserted_at, r.id) > start`. */
  readonly beyond: ">" | "<";
  /** Compares a key with the included end of the walk: `(r.inserted_at, r.id) <= end`. */
  readonly upTo: "<=" | ">=";
}

export const ASCENDING: Direction = { order: "ASC", opposite: "DESC", beyond: ">", upTo: "<=" };
export const DESCENDING: Direction = { order: "DESC", opposite: "ASC", beyond: "<", upTo: ">=" };

/** A page's start, as SQL: the cursor record's id, and the time by which it is or was sorted. */
interface WalkStart {
  readonly time: string;
  readonly id: string;
}

export function startSql(statement: Statement, cursor: Cursor | null): WalkStart | null {
  return (
    cursor && {
      time: cursor.time === undefined ? CURRENT_KEY : statement.bindTime(cursor.time),
      id: statement.bind(cursor.id),
    }
  );
}

interface WalkOptions {
  readonly column: string;
  readonly range: TimeRange;
  readonly direction: Direction;
  readonly start: WalkStart | null;
}

/**
 * Conditions of a walk of an index by (time, id) in a range of times: `after` the start, for a
 * page's records, and `upTo` it, for those that precede the page. A bound of the range is
 * `(time, '')`. Ids are not empty and times are whole milliseconds, so against `(max + 1 ms, '')`
 * both `<` and `<=` mean `inserted_at <= max`. Of two bounds on one side, only the tighter is used:
 * Postgres would start at one and read everything up to the other.
 */
export function walkSql(statement: Statement, { column, range, direction, start }: WalkOptions) {
  const lower = range.min === null ? null : statement.bindTime(range.min);
  const upper = range.max === null ? null : statement.bindTime(range.max + 1);
  const [first, last, laterOf, earlierOf] =
    direction === ASCENDING
      ? ([lower, upper, "greatest", "least"] as const)
      : ([upper, lower, "least", "greatest"] as const); // later, earlier: in reading order
  const between = (begin: string | null, end: string | null): string =>
    (begin ? ` AND (r.${column}, r.id) ${direction.beyond} ${begin}` : "") +
    (end ? ` AND (r.${column}, r.id) ${direction.upTo} ${end}` : "");
  return {
    after: between(start ? tighterBound(laterOf, start, first) : boundSql(first), boundSql(last)),
    upTo: start && between(boundSql(first), tighterBound(earlierOf, start, last)),
  };
}

function boundSql(time: string | null): string | null {
  return time && `(${time}, '')`;
}

/** The tighter of start and bound. At equal times the start is greater: its id is not ''. */
function tighterBound(which: "greatest" | "least", { time, id }: WalkStart, bound: string | null) {
  if (bound === null) return `(${time}, ${id})`;
  const isStart = `${time} ${which === "greatest" ? ">=" : "<"} ${bound}`;
  return `(${which}(${time}, ${bound}), CASE WHEN ${isStart} THEN ${id} ELSE '' END)`;
}
