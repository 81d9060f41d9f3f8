import { connectDatabase, type Sql } from "@partner-connect/database";
import { everyCombination } from "../list/combinations.ts";
import { serviceUrl } from "../list/pgbench.ts";
import { median } from "../table.ts";
import type { GrowthStack, MeasuredShop } from "./kept-stack.ts";
import { FROM, INSTANT, largestShopIndex, rowAt, SMALL_SHOP, TO } from "./rows.ts";
import { type Explained, executions, statementOf } from "./statement.ts";

/** Requests of each sort, set of filters and kind of cursor. */
const DRAWS = 8;
const PAGE = "/api/responses?limit=50";
const DAY = 86_400_000;

export type MeasuredPages = Readonly<Record<string, Explained>>;

/** The pages that are measured, by what they are called. Those of the largest shop begin with its cursors. */
function pagesOf({ count, largest, small }: GrowthStack): Record<string, readonly [MeasuredShop, string]> {
  const shops = { largest: largest.id, small: small.id };
  const idAt = (place: number) => rowAt(largestShopIndex(place, count), count, shops).id;
  const smallIds = rowAt(1 + (count / SMALL_SHOP) * Math.floor(SMALL_SHOP / 10), count, shops).id;
  const middle = FROM + (TO - FROM) * 0.45;
  const between = (min: number, max: number) =>
    `updated_at_min=${new Date(min).toISOString()}&updated_at_max=${new Date(max).toISOString()}`;
  const beside = INSTANT - 10 * DAY; // in the same 28 days
  return {
    "first page": [largest, PAGE],
    "page at depth 0.9": [largest, `${PAGE}&starting_after=${idAt(0.1)}`],
    "page at depth 0.9, by updated_at": [largest, `${PAGE}&sort=updated_at_desc&starting_after=${idAt(0.1)}`],
    "page by inserted_at of what changed in 30 days": [largest, `${PAGE}&${between(middle, middle + 30 * DAY)}`],
    // The filter ends in the same 28 days: the walk passes over many of them for each record that it finds there.
    "page beside 6 % of the shop that changed at one instant": [
      largest,
      `${PAGE}&sort=inserted_at_asc&${between(beside - 400 * DAY, beside)}`,
    ],
    "first page of the small shop": [small, PAGE],
    "page at depth 0.9 of the small shop": [small, `${PAGE}&starting_after=${smallIds}`],
  };
}

/** A session as the resource server's, with the settings of its role. */
function asService({ databaseUrl }: GrowthStack): Sql {
  return connectDatabase(serviceUrl(databaseUrl), { name: "test", connections: 1 });
}

export async function measurePages(stack: GrowthStack): Promise<MeasuredPages> {
  const sql = asService(stack);
  const measured: Record<string, Explained> = {};
  try {
    for (const [name, [shop, path]] of Object.entries(pagesOf(stack))) {
      measured[name] = await explained(stack, sql, shop, path);
    }
    return measured;
  } finally {
    await sql.end();
  }
}

/** Every sort × filters × cursor in the largest shop. */
export interface MeasuredCombinations {
  /** Of their statements, in milliseconds. */
  readonly median: number;
  readonly p99: number;
  readonly worst: Explained & { readonly query: string };
}

export async function measureCombinations(stack: GrowthStack): Promise<MeasuredCombinations> {
  const { id: shopId, accessToken } = stack.largest;
  const { slowest } = await everyCombination({ ...stack, shopId, accessToken }, DRAWS);
  const at = (share: number) => slowest[Math.floor(slowest.length * share)]?.ms ?? Number.NaN;
  const { query, ms } = slowest[0] as (typeof slowest)[number];
  const sql = asService(stack);
  try {
    const worst = await explained(stack, sql, stack.largest, `/api/responses?${query}`);
    return { median: at(0.5), p99: at(0.01), worst: { ...worst, query, ms } };
  } finally {
    await sql.end();
  }
}

/** The last of some executions: what it touches is in memory then. */
async function explained(stack: GrowthStack, sql: Sql, shop: MeasuredShop, path: string): Promise<Explained> {
  const runs = await executions(sql, await statementOf(stack, shop, path), 20);
  return { ms: median(runs.map(({ ms }) => ms)), blocks: runs.at(-1)?.blocks ?? Number.NaN };
}
