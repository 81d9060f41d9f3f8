import type { Caller } from "../authentication/caller.ts";
import { callerTable } from "../authorization/caller-state.query.ts";
import { Statement } from "../authorization/statement.ts";
import { ASCENDING, between, boundsOf, DESCENDING, opposite, orderBy, startColumns } from "../pagination/bounds.ts";
import { type PageQuery, pageSql } from "../pagination/page-reader.ts";
import type { Position } from "../pagination/time-parameters.ts";
import type { DeletionParameters } from "./deletion-parameters.ts";

/** A deletion as the API shows it. An id may hold anything: to_json escapes it. */
const DOC = `'{"id":' || to_json(r.id)::text || ',"deleted_at":"' || survey.timestamp_text(r.deleted_at) || '"}' AS doc`;
const KEY = "(r.deleted_at, r.id)";

/**
 * A page of what is deleted now, for `readPage`. `position`: where the cursor's record stood when it was shown; null: where it stands now.
 * Index: deleted_responses_by_time; of a cursor deleted_responses_pkey.
 */
export function listDeletionsSql(
  caller: Caller,
  { limit, cursor, range }: DeletionParameters,
  position: Position | null,
): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = callerTable(caller, statement, shop);
  const bindTime = (at: number): string => `${statement.bind(new Date(at).toISOString())}::timestamptz`;
  const direction = cursor?.direction === "backward" ? DESCENDING : ASCENDING;
  const bounds = boundsOf(range, direction, bindTime);
  const of = `FROM survey.deleted_responses r WHERE r.shop_id = ${shop} AND NOT r.imported_again`;
  const start = cursor ? "(start.at, start.id)" : bounds.start?.row;
  const records = `SELECT ${DOC} ${of}${between(direction, KEY, start, bounds.end?.row)}
${orderBy(direction, "r.deleted_at")} LIMIT ${statement.bind(limit + 1)}`;

  const tables = [allowed];
  let page: PageQuery = { from: "caller", cursorKnown: "false", hasPrevious: "false", records };
  if (cursor) {
    const [at, id] = startColumns(direction, bounds.start);
    const time = position ? bindTime(position.at) : "deleted_at";
    tables.push(
      `position AS MATERIALIZED (
SELECT ${time} AS at, id FROM survey.deleted_responses WHERE shop_id = ${shop} AND id = ${statement.bind(cursor.id)})`,
      `start AS MATERIALIZED (SELECT ${at} AS at, ${id} AS id FROM position)`,
    );
    page = {
      from: "caller LEFT JOIN position ON true",
      cursorKnown: "state = 'allowed' AND position.id IS NOT NULL",
      hasPrevious: `state = 'allowed' AND EXISTS (
SELECT FROM position, LATERAL (
SELECT ${of}${between(direction, KEY, bounds.start?.row, "(position.at, position.id)")}
${orderBy(opposite(direction), "r.deleted_at")} LIMIT 1) r)`,
      records: `SELECT r.doc FROM start, LATERAL (\n${records}) r`,
    };
  }
  statement.text = `WITH ${tables.join(",\n")}\n${pageSql(page)}`;
  return statement;
}
