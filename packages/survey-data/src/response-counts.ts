import type { Sql, Transaction } from "@partner-connect/database";

/** A version of a row, as RETURNING names them: before a change, and after it. */
type Version = "old" | "new";

/** For RETURNING: by what a response is counted. Its question and response are JSON, as its text has them. */
export const countedBy = (sql: Transaction, ...versions: readonly Version[]) =>
  versions.map(
    (row, index) => sql`${index === 0 ? sql`` : sql`,`}
      (${sql(row)}.inserted_at AT TIME ZONE 'UTC')::date AS ${sql(`${row}_day`)},
      survey.question_id_of(${sql(row)}.doc) AS ${sql(`${row}_question_id`)},
      survey.field_text(${sql(row)}.doc, 'question', 'question_type') AS ${sql(`${row}_question`)},
      survey.response_of(${sql(row)}.doc) AS ${sql(`${row}_response`)}`,
  );

/**
 * The INSERT that adds to the shop's counts what `written`, a table of the same statement, has by {@link countedBy}. Only for who has
 * taken the shop's stamp. Index: response_counts_pkey.
 */
export function addCounts(sql: Transaction, shopId: string, ...versions: readonly Version[]) {
  const changes = versions.map(
    (row, index) => sql`${index === 0 ? sql`` : sql`UNION ALL`}
        SELECT ${sql(`${row}_day`)} AS day, ${sql(`${row}_question_id`)} AS question_id, ${sql(`${row}_question`)} AS question,
          ${sql(`${row}_response`)} AS response, ${row === "old" ? sql`-1` : sql`1`} AS change FROM written`,
  );
  return sql`
    INSERT INTO survey.response_counts AS counts
      (shop_id, unit, period, question_key, response_key, question_id, question, response, count)
    SELECT ${shopId}::text, unit, CASE unit WHEN 'day' THEN day ELSE date_trunc('month', day::timestamp)::date END,
      md5(concat(question_id, ' ', question))::uuid, md5(response)::uuid, question_id, question, response, sum(change)::bigint
    FROM (
      SELECT day, question_id, question, response, sum(change) AS change FROM (${changes}) AS changes
      GROUP BY day, question_id, question, response) AS days
      CROSS JOIN (VALUES ('day'), ('month')) AS units (unit)
    GROUP BY 2, 3, question_id, question, response
    HAVING sum(change) <> 0
    ON CONFLICT (shop_id, unit, period, question_key, response_key) DO UPDATE SET count = counts.count + excluded.count`;
}

/** Deletes the counts of what is gone. For who has subtracted some. Index: response_counts_at_zero. */
export async function dropZeros(sql: Transaction, shopId: string): Promise<void> {
  await sql`DELETE FROM survey.response_counts WHERE shop_id = ${shopId} AND count = 0`;
}

/** Counts all that the shop has, under its lock. Some seconds for a million. Index: responses_pkey. */
export async function recount(sql: Transaction, shopId: string): Promise<void> {
  await sql`DELETE FROM survey.response_counts WHERE shop_id = ${shopId}`;
  await sql`
    WITH written AS (SELECT ${countedBy(sql, "new")} FROM survey.responses AS new WHERE new.shop_id = ${shopId})
    ${addCounts(sql, shopId, "new")}`;
}

/** The shops whose counts are not right, as a former release has written: until they are counted, the API says 503. */
export async function uncountedShops(sql: Sql): Promise<string[]> {
  const shops = await sql<{ id: string }[]>`
    SELECT shops.id FROM survey.stamps JOIN directory.shops ON shops.id = stamps.shop_id
    WHERE stamps.counted IS DISTINCT FROM stamps.stamp ORDER BY shops.id`;
  return shops.map(({ id }) => id);
}
