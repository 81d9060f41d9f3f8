import { PLANNER_SETTINGS } from "@partner-connect/database";
import { queryValidator } from "@partner-connect/service-runtime";
import { expect, test } from "vitest";
import type { Caller } from "../authentication/caller.ts";
import { readQuery, refuse } from "../http/validation.ts";
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

/** A file for each kind of page: its request, and where the cursor's position is known. */
const PAGES: readonly (readonly [file: string, query: string, position: Position | null])[] = [
  ["first-page", "limit=50", null],
  [
    "after-cursor",
    "limit=50&sort=updated_at_asc&updated_at_min=2026-01-01T00:00:00Z&starting_after=r1&cursor_time=2026-05-04T03:02:01Z",
    KNOWN,
  ],
  ["other-time", "limit=50&updated_at_min=2026-01-01T00:00:00Z&ending_before=r1", null],
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
