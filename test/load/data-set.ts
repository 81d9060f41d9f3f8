import type { Sql } from "@partner-connect/database";
import { importResponses, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";

/** How large the data set is. A third of the responses belong to the measured shop. */
export interface DataSetSize {
  readonly responses: number;
  /** Responses of the measured shop that change at one instant. */
  readonly bulkUpdate: number;
}

export const FULL: DataSetSize = { responses: 3_000_000, bulkUpdate: 100_000 };
export const QUICK: DataSetSize = { responses: 300_000, bulkUpdate: 10_000 };

const TEMPLATES = 20_000;
const OTHER_SHOPS = 49;
/** The measured shop. */
export const SHOP = "shop_bench_0";
const CLIENTS = 20;
const FROM = Date.parse("2023-01-01T00:00:00Z");
const TO = Date.parse("2026-01-01T00:00:00Z");
const BATCH = 100_000;
export const SORTS = [
  "inserted_at_desc",
  "inserted_at_asc",
  "updated_at_desc",
  "updated_at_asc",
] as const;
/** The operator's name in the audit log. */
const BENCH = { name: "operator:bench" };

/** One response in a hundred has an id of digits, as pgbench's variables are numbers. */
export const FIRST_CURSOR = 100_000_000_000;
export const cursorCount = ({ responses }: DataSetSize): number => responses / 300;

/**
 * Fills the empty database: each row is a copy of one of TEMPLATES generated responses with another
 * id and other times, mixed on disk as they would arrive. Then a fifth of them change, and
 * `bulkUpdate` of the measured shop's at one instant. Each shop has its newest stamp.
 */
export async function fillDataSet(sql: Sql, size: DataSetSize, report: (line: string) => void) {
  await connectShops(sql);
  await makeTemplates(sql);
  const indexes = await dropIndexes(sql);
  await insertResponses(sql, size, report);
  report("updates");
  await updateResponses(sql, size);
  await sql`INSERT INTO survey.stamps (shop_id, stamp) SELECT shop_id, max(updated_at) FROM survey.responses GROUP BY shop_id`;
  report("indexes");
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`VACUUM (ANALYZE) survey.responses`;
  report("the naive peer's table");
  await makeColumnTable(sql);
  await sql`CHECKPOINT`;
}

/** Each shop is connected with each client: 1,000 callers. */
async function connectShops(sql: Sql): Promise<void> {
  await sql`
    INSERT INTO directory.shops (id, name, plan)
    SELECT 'shop_bench_' || n, 'Shop ' || n, 'standard' FROM generate_series(0, ${OTHER_SHOPS}::int) n`;
  await sql`INSERT INTO directory.merchants (email, name, password_hash) VALUES ('bench@merchant.example', 'Ada', '-')`;
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT 'client_bench_' || n, 'App ' || n, '{https://partner.example/callback}', '{responses:read}', '{authorization_code,refresh_token}'
    FROM generate_series(1, ${CLIENTS}::int) n`;
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at)
    SELECT s.id, c.client_id, 'connected', 'grant', '{responses:read}', m.id, now()
    FROM directory.shops s, directory.clients c, directory.merchants m`;
  await sql`ANALYZE oauth.connections`;
}

async function makeTemplates(sql: Sql): Promise<void> {
  await importResponses(
    sql,
    { shopId: SHOP, lines: generateResponses({ count: TEMPLATES, seed: "bench" }) },
    BENCH,
  );
  await sql`CREATE SCHEMA bench`;
  await sql`CREATE TABLE bench.templates (n bigint GENERATED ALWAYS AS IDENTITY (MINVALUE 0) PRIMARY KEY, tail text NOT NULL)`;
  await sql`
    INSERT INTO bench.templates (tail)
    SELECT substr(doc, strpos(doc, ',"response_provided_at":')) FROM survey.responses`;
  await sql`TRUNCATE survey.responses, survey.stamps`;
  await sql`ANALYZE bench.templates`;
}

/** Drops all indexes but the primary key; creating them at the end is faster than filling them. */
async function dropIndexes(sql: Sql) {
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'survey' AND tablename = 'responses' AND indexname <> 'responses_pkey'`;
  for (const { name } of indexes) await sql`DROP INDEX survey.${sql(name)}`;
  return indexes;
}

/** Spreads responses evenly over the window; one in six has the millisecond of the one before. */
async function insertResponses(
  sql: Sql,
  { responses }: DataSetSize,
  report: (line: string) => void,
): Promise<void> {
  const step = Math.floor((TO - FROM) / responses);
  for (let done = 0; done < responses; done += BATCH) {
    await sql`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT shop_id, id, at, at, format('{"id":"%1$s","inserted_at":"%2$s","updated_at":"%2$s"%3$s', id, survey.timestamp_text(at),
        (SELECT tail FROM bench.templates WHERE n = g * 7919 % ${TEMPLATES}))
      FROM generate_series(${done}::bigint, ${done + BATCH - 1}::bigint) g,
        LATERAL (SELECT ${FROM}::bigint + (g - (g % 6 = 1)::int) * ${step} AS ms, md5(g::text) AS random),
        LATERAL (SELECT timestamptz 'epoch' + ms * interval '1 millisecond' AS at,
          CASE WHEN g % 3 = 0 THEN ${SHOP} ELSE 'shop_bench_' || 1 + (hashint8(g) & 1048575) % ${OTHER_SHOPS} END AS shop_id,
          CASE WHEN g % 300 = 150 THEN (${FIRST_CURSOR}::bigint + g / 300)::text
            ELSE 'res_' || lpad(to_hex(ms), 12, '0') || substr(random, 1, 20) END AS id)`;
    report(`${done + BATCH} of ${responses} responses`);
  }
}

/** A fifth of the responses change once; then many of the measured shop at the same instant. */
async function updateResponses(sql: Sql, { responses, bulkUpdate }: DataSetSize): Promise<void> {
  const restamp = `updated_at = at, doc = replace(doc, ',"updated_at":"' || survey.timestamp_text(r.updated_at) || '"',
    ',"updated_at":"' || survey.timestamp_text(at) || '"')`;
  const to = new Date(TO);
  await sql`
    UPDATE survey.responses r SET ${sql.unsafe(restamp)}
    FROM (SELECT shop_id, id, date_trunc('milliseconds',
        inserted_at + (${to} - inserted_at) * power((hashtext(id || '!') & 1048575) / 1048576.0, 3)) AS at
      FROM survey.responses WHERE (hashtext(id) & 1048575) % 5 = 0) later
    WHERE r.shop_id = later.shop_id AND r.id = later.id AND at > inserted_at`;
  const instant = new Date(FROM + (TO - FROM) * 0.6);
  const spread = Math.floor(((responses / 3) * 0.6) / bulkUpdate);
  await sql`
    UPDATE survey.responses r SET ${sql.unsafe(restamp)}
    FROM (SELECT shop_id, id, ${instant}::timestamptz AS at FROM survey.responses
      WHERE shop_id = ${SHOP} AND inserted_at < ${instant} AND (hashtext(id || '?') & 1048575) % ${spread} = 0
      LIMIT ${bulkUpdate}) bulk
    WHERE r.shop_id = bulk.shop_id AND r.id = bulk.id`;
}

/** The same responses with a column for each field, in the same order, with a list's indexes. */
async function makeColumnTable(sql: Sql): Promise<void> {
  const types: Record<string, string> = {
    integer: "integer",
    timestamp: "timestamptz",
    decimal: "numeric",
    boolean: "boolean",
    boolean_or_text: "boolean",
  };
  const columns = RESPONSE_FIELDS.map(({ name, kind }) =>
    name === "id" ? 'id text COLLATE "C"' : `${name} ${types[kind] ?? "text"}`,
  );
  await sql.unsafe(`
    CREATE TABLE bench.responses AS
    SELECT r.shop_id, fields.* FROM survey.responses r, json_to_record(r.doc::json) AS fields (${columns.join(", ")})`);
  await sql`ALTER TABLE bench.responses ADD PRIMARY KEY (shop_id, id)`;
  await sql`CREATE INDEX ON bench.responses (shop_id, inserted_at, id)`;
  await sql`CREATE INDEX ON bench.responses (shop_id, updated_at, id)`;
  await sql`VACUUM (ANALYZE) bench.responses`;
}
