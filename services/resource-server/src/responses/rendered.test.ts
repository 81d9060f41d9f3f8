import { connectDatabase, PLANNER_SETTINGS } from "@partner-connect/database";
import { freshDatabase } from "@partner-connect/database/testing";
import { queryValidator } from "@partner-connect/service-runtime";
import { expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { readQuery } from "../http/query-string.ts";
import { refuse } from "../http/validation.ts";
import type { Position } from "../pagination/time-parameters.ts";
import { canonicalParameters, ListQuery, readListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";

const CALLER: Caller = {
  kind: "connection",
  id: "conn_example",
  shopId: "shop_example",
  clientId: "client_example",
  generation: 1,
  scope: ["responses:read"],
};

const KNOWN: Position = { at: Date.parse("2026-05-04T03:02:01.000Z"), id: "r1" };

/** A file for each kind of page: its request, where the cursor's position is known, and the indexes that it reads. */
const PAGES: readonly (readonly [
  file: string,
  query: string,
  position: Position | null,
  indexes: readonly string[],
])[] = [
  ["first-page", "limit=50", null, ["responses_unchanged", "responses_changed_by_inserted_at"]],
  [
    "after-cursor",
    "limit=50&sort=updated_at_asc&updated_at_min=2026-01-01T00:00:00Z&starting_after=r1&cursor_time=2026-05-04T03:02:01Z",
    KNOWN,
    ["responses_unchanged", "responses_changed_by_updated_at", "responses_pkey", "deleted_responses_pkey"],
  ],
  [
    "other-time",
    "limit=50&updated_at_min=2026-01-01T00:00:00Z&ending_before=r1",
    null,
    ["responses_unchanged", "responses_changed_by_inserted_at", "responses_pkey", "deleted_responses_pkey"],
  ],
];

/** Each line as far to the right as it lies deep in parentheses: the service sends the same without. */
function indented(sql: string): string {
  let depth = 0;
  const lines = sql.split("\n").map((line) => {
    const text = line.trim();
    const before = depth - (/^\)*/.exec(text)?.[0].length ?? 0);
    depth += text.split("(").length - text.split(")").length;
    return `${"  ".repeat(before)}${text}`;
  });
  return lines.join("\n");
}

const validated = queryValidator(ListQuery, refuse);

/** The statement as the service prepares it, and a plan of it, to be pasted into psql. */
function render(query: string, position: Position | null): string {
  const parameters = readListParameters(validated(canonicalParameters(readQuery(`/api/responses?${query}`))));
  const { text, values } = listResponsesSql(CALLER, parameters, position);
  const literals = values.map((value) => (typeof value === "number" ? value : `'${value}'`));
  const settings = Object.entries(PLANNER_SETTINGS).map(([name, value]) => `SET LOCAL ${name} = '${value}';`);
  return `-- GET /api/responses?${query}${position ? "\n-- The position of the cursor is known." : ""}
-- Paste it into psql, with ids of your own at the end, and read its plan. It changes nothing.
-- Rendered by rendered.test.ts; 'pnpm test rendered -u' renders it again.
BEGIN;
${settings.join("\n")}
PREPARE page AS
${indented(text)};
EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) EXECUTE page (${literals.join(", ")});
ROLLBACK;
DEALLOCATE page;
`;
}

const fileOf = (name: string): string => `rendered/${name}.sql`;

test.each(PAGES)("rendered/%s.sql is what the service sends today", async (name, query, position) => {
  await expect(render(query, position)).toMatchFileSnapshot(fileOf(name));
});

test("each of them can be run as it stands, and its plan reads its indexes alone", async () => {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const sql = connectDatabase(database.resourceServerUrl, { name: "rendered", connections: 1 });
  try {
    // A shard is planned for its values.
    const [own] = await sql<{ setting: string }[]>`SELECT current_setting('plan_cache_mode') AS setting`;
    for (const [name, query, position, indexes] of PAGES) {
      const text = render(query, position).replace(PLANNER_SETTINGS.plan_cache_mode, own?.setting ?? "");
      const results = (await sql.unsafe(text)) as unknown as { "QUERY PLAN"?: string }[][];
      const plan = results.flat().flatMap((row) => row["QUERY PLAN"] ?? []);
      // A shard's index has the shard's number behind its name.
      const used = new Set(
        plan.flatMap((line) => /Index (?:Only )?Scan (?:Backward )?using (\w+?)(?:_\d+)? on/.exec(line)?.[1] ?? []),
      );
      // Which index finds the caller's one row depends on what Postgres has counted of these small tables.
      const ofRecords = [...used].filter((index) => !/^(clients|connections)_/.test(index));
      expect([name, ofRecords.toSorted()]).toEqual([name, indexes.toSorted()]);
      expect([name, plan.filter((line) => line.includes("Seq Scan"))]).toEqual([name, []]);
    }
  } finally {
    await sql.end();
    await database.drop();
  }
});
