import type { Caller } from "../authentication/caller.ts";
import { Statement } from "../authorization/statement.ts";
import { stateAndStampSql } from "../pagination/entity-tag/shop-stamp.query.ts";
import { type PageQuery, pageSql } from "../pagination/page-reader.ts";
import type { CountParameters, CountPlace } from "./count-parameters.ts";

const KEY = "(period, question_key, response_key)";

/** `placeOf` of count-parameters.ts reads it. */
const ID_SQL = `left(unit, 1) || to_char(period, 'YYYYMMDD')
  || translate(encode(uuid_send(question_key) || uuid_send(response_key), 'base64'), '+/=', '-_')`;

/** A count as the API shows it. The question and the response are stored as JSON. */
const DOC = `'{"id":"' || ${ID_SQL} || '","period":"' || to_char(period, 'YYYY-MM-DD')
  || '","question_id":' || coalesce(question_id::text, 'null') || ',"question":' || question || ',"response":' || response
  || ',"count":' || count || '}' AS doc`;

/**
 * A page of counts by period, question and response. While the shop's counts are not right, the caller's state says so: a former release
 * has written (packages/survey-data, response-counts.ts). Index: response_counts_pkey, of one question response_counts_of_question.
 */
export function listCountsSql(caller: Caller, { limit, cursor, unit, min, max, questionId, place }: CountParameters) {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const allowed = `caller AS MATERIALIZED (
SELECT CASE WHEN state = 'allowed' AND NOT coalesce(
    (SELECT counted IS NOT DISTINCT FROM stamps.stamp FROM survey.stamps WHERE shop_id = ${shop}),
    NOT EXISTS (SELECT FROM survey.responses WHERE shop_id = ${shop}))
  THEN 'not_counted' ELSE state END AS state, stamp
FROM (${stateAndStampSql(caller, statement, shop)}) AS known)`;
  const question = questionId === null ? "" : ` AND question_id = ${statement.bind(questionId)}`;
  const of = `FROM survey.response_counts WHERE shop_id = ${shop} AND unit = ${statement.bind(unit)}${question}`;

  const from = () => (min === null ? "" : ` AND period >= ${statement.bind(min)}::date`);
  const to = () => (max === null ? "" : ` AND period <= ${statement.bind(max)}::date`);
  // Of two bounds on one side only the tighter: Postgres would start at one and read everything up to the other.
  const before = (operator: "<" | "<=") =>
    place && (max === null || place.period <= max) ? ` AND ${KEY} ${operator} ${bindPlace(statement, place)}` : to();
  const after = (operator: ">" | ">=") =>
    place && (min === null || place.period >= min) ? ` AND ${KEY} ${operator} ${bindPlace(statement, place)}` : from();

  const isBackward = cursor?.direction === "backward";
  const range = isBackward ? from() + before("<") : after(">") + to();
  const order = isBackward ? "period DESC, question_key DESC, response_key DESC" : "period, question_key, response_key";
  const page: PageQuery = {
    from: "caller",
    cursorKnown: "true",
    hasPrevious: cursor ? `EXISTS (SELECT ${of}${isBackward ? after(">=") + to() : from() + before("<=")})` : "false",
    records: `SELECT ${DOC} ${of}${range} ORDER BY ${order} LIMIT ${statement.bind(limit + 1)}`,
  };
  statement.text = `WITH ${allowed}\n${pageSql(page)}`;
  return statement;
}

function bindPlace(statement: Statement, { period, questionKey, responseKey }: CountPlace): string {
  return `(${statement.bind(period)}::date, ${statement.bind(questionKey)}::uuid, ${statement.bind(responseKey)}::uuid)`;
}
