import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../authentication/caller.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";
import type { ListParameters } from "../parameters/list-parameters.ts";
import { SORTS, type SortName } from "../parameters/sort.ts";
import { listResponsesSql } from "./list-responses.query.ts";

const [FEW, MANY] = [10_000, 300_000];
const START = Date.parse("2024-01-01T00:00:00.000Z");
const DAYS = 700;
const DAY = 86_400_000;
/** Where in the shop's time the deep pages are. */
const PLACES = [0.31, 0.37, 0.42, 0.48, 0.53, 0.59, 0.64, 0.7];
/** More blocks of 8 KB that the same rows and entries may lie on, as they begin and end elsewhere in a block. */
const BOUNDARIES = 3;

interface Cost {
  readonly blocks: number;
  /** How often an index was gone down, from its root to a leaf. */
  readonly descents: number;
}

/** EXPLAIN shows nothing of a shard's blocks there; one-shard.cluster.test.ts holds that a page is one shard's. */
const onCitus = process.env["CITUS_URL"] !== undefined;

let server: TestResourceServer;
let sql: Sql;
let shop: TestShop;
let caller: Caller;
const costs: Record<number, Record<string, Cost>> = {};

beforeAll(async () => {
  if (onCitus) return;
  server = await testResourceServer();
  sql = connectDatabase(server.database.resourceServerUrl, { name: "growth", statementTimeout: 60_000 });
  shop = await server.newShop();
  caller = {
    kind: "connection",
    id: shop.connectionId,
    shopId: shop.id,
    clientId: shop.clientId,
    generation: 1,
    scope: ["responses:read"],
  };
  for (const count of [FEW, MANY]) {
    await fill(count);
    costs[count] = {};
    for (const [name, some] of Object.entries(pages(count))) costs[count][name] = await meanCost(some);
  }
}, 180_000);

afterAll(async () => {
  if (onCitus) return;
  await sql.end();
  await server.close();
});

const idOf = (index: number) => `r${String(index).padStart(6, "0")}`;

/**
 * The table with `count` responses of 700 days. One in forty, of all but the newest, was changed within 200 days: few, because these lie elsewhere than
 * their neighbours by updated_at, which does not depend on the table's size. The indexes are built from all rows.
 */
async function fill(count: number): Promise<void> {
  const { owner } = server;
  await owner.begin(async (inside) => {
    const indexes = await inside<{ name: string; definition: string }[]>`
      SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = 'survey' AND tablename = 'responses' AND indexname <> 'responses_pkey'`;
    await inside`TRUNCATE survey.responses`;
    for (const { name } of indexes) await inside`DROP INDEX survey.${inside(name)}`;
    await inside`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${shop.id}, 'r' || lpad(i::text, 6, '0'), inserted_at,
        inserted_at + CASE WHEN i % 40 = 0 AND i < ${count * 0.7}::float8 THEN (hashint4(i) & 65535) / 65536.0 * interval '200 days' ELSE interval '0' END, '{}'
      FROM (SELECT i, ${new Date(START).toISOString()}::timestamptz + i * ${(DAYS * DAY) / count} ::float8 * interval '1 ms' AS inserted_at
            FROM generate_series(0, ${count}::int - 1) AS i) AS row`;
    for (const { definition } of indexes) await inside.unsafe(definition);
  });
  await owner`VACUUM ANALYZE survey.responses`;
}

/** Each sort from its start, from deep within, forward and backward, and filtered by its own time; some pages of each. */
function pages(count: number): Record<string, readonly ListParameters[]> {
  const none = { min: null, max: null };
  const all = { inserted_at: none, updated_at: none };
  const cases = (Object.keys(SORTS) as SortName[]).flatMap((sort) => {
    const base = { limit: 50, sort, cursor: null, ranges: all, given: [] };
    const after = (direction: "forward" | "backward") => (place: number) => ({
      ...base,
      cursor: { direction, id: idOf(Math.floor(count * place)) },
    });
    const within = (place: number) => ({
      ...base,
      ranges: {
        ...all,
        [SORTS[sort].column]: { min: START + place * DAYS * DAY, max: START + (place + 0.1) * DAYS * DAY },
      },
    });
    return [
      [`${sort}, first`, [base]],
      [`${sort}, after a deep cursor`, PLACES.map(after("forward"))],
      [`${sort}, before a deep cursor`, PLACES.map(after("backward"))],
      [`${sort}, filtered by its time`, PLACES.map(within)],
    ] as const;
  });
  return Object.fromEntries(cases);
}

interface PlanNode {
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly "Index Searches"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The mean of some pages of one kind. */
async function meanCost(pages: readonly ListParameters[]): Promise<Cost> {
  const mean = { blocks: 0, descents: 0 };
  for (const parameters of pages) {
    const { blocks, descents } = await costOf(parameters);
    mean.blocks += blocks / pages.length;
    mean.descents += descents / pages.length;
  }
  return mean;
}

async function costOf(parameters: ListParameters): Promise<Cost> {
  const { text, values } = listResponsesSql(caller, parameters, null);
  const literals = values.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(", ");
  return await transaction(sql, async (inside) => {
    await inside.unsafe(`PREPARE page AS ${text}`);
    const explain = () =>
      inside.unsafe<{ "QUERY PLAN": { Plan: PlanNode }[] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE page(${literals})`,
      );
    const costs: Cost[] = [];
    for (let time = 0; time < 3; time++) {
      const plan = (await explain())[0]?.["QUERY PLAN"][0]?.Plan as PlanNode;
      costs.push({
        blocks: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
        descents: descents(plan),
      });
    }
    await inside.unsafe("DEALLOCATE page");
    // Beside its rows a session reads, at first and whenever another one changes a table, what a table has and where an index has its root.
    return costs.reduce((least, cost) => (cost.blocks < least.blocks ? cost : least));
  });
}

function descents(node: PlanNode): number {
  const own = node["Relation Name"] === "responses" ? (node["Index Searches"] ?? 0) : 0;
  return own + (node.Plans ?? []).reduce((sum, child) => sum + descents(child), 0);
}

test.skipIf(onCitus)(
  "a page of 300,000 responses touches the blocks of one of 10,000, and for each way down an index one level more at most",
  () => {
    const few = costs[FEW] ?? {};
    for (const [name, { blocks, descents }] of Object.entries(costs[MANY] ?? {})) {
      const most = (few[name]?.blocks ?? 0) + descents + BOUNDARIES;
      expect([name, blocks <= most ? "as few" : blocks]).toEqual([name, "as few"]);
    }
  },
);
