import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { startLocalStack } from "@partner-connect/local-stack";
import { client } from "./list/client.ts";
import { makeShops, type NeighbourShops } from "./neighbour/shops.ts";
import { needPrograms } from "./program.ts";
import { median, spread, table } from "./table.ts";
import { type WrkRequest, wrk } from "./wrk.ts";

/** Calls that the neighbours have under way at a time: of one shop, or of many. */
const CALLS = 256;
/** The same for pages of a megabyte of many shops; of one shop it is one page of as many. */
const LARGE_CALLS = 40;
/** Of the shop that is looked at. */
const CALLERS = 4;
const PAGE = "/api/responses?limit=20";

const PLANS = { quick: { rounds: 3, seconds: 4 }, full: { rounds: 7, seconds: 8 } };

type Waits = Readonly<Record<"p50" | "p99", number>>;

/** A shop's pages of 20 beside one neighbour, and beside an equal load of many shops; both for small pages and for very large ones. */
export async function benchNeighbour({ quick }: { quick: boolean }): Promise<void> {
  const report = (line: string): void => console.error(line);
  const { rounds, seconds } = quick ? PLANS.quick : PLANS.full;
  await needPrograms(["wrk"], report);
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const env = { RESOURCE_SERVER_REPLICAS: "1", API_RATE_LIMIT: "100000000", LOG_LEVEL: "warn" };
  const stack = await startLocalStack({ dataDir, env });
  const sql: Sql = connectDatabase(stack.state.database_url, { name: "test", connections: 1 });
  const url = stack.state.resource_server_urls[0] as string;
  try {
    report("making the shops");
    const shops = await makeShops(sql);
    const waits: Record<string, Waits[]> = {};
    for (let round = 0; round <= rounds; round++) {
      report(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
      for (const [name, load] of Object.entries(loads(shops))) {
        const measured = await beside(url, shops, load, seconds);
        if (round > 0) waits[name] = [...(waits[name] ?? []), measured];
      }
    }
    console.log(`\n${reportOf(waits)}\n`);
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Neighbours {
  readonly connections: number;
  readonly requests: readonly WrkRequest[];
}

function loads({ hog, large, many }: NeighbourShops): Record<string, Neighbours> {
  const pages = (keys: readonly string[], limit: number): WrkRequest[] =>
    keys.map((authorization) => ({ method: "GET", path: `/api/responses?limit=${limit}`, authorization }));
  return {
    "many shops": { connections: CALLS, requests: pages(many, 50) },
    "one shop": { connections: CALLS, requests: pages([hog], 50) },
    "many shops, pages of 1 MB": { connections: LARGE_CALLS, requests: pages(many, 1000) },
    "one shop, pages of 42 MB": { connections: 1, requests: pages([large], 1000) },
  };
}

/** What the shop's callers wait meanwhile, milliseconds. */
async function beside(
  url: string,
  { victim }: NeighbourShops,
  { connections, requests }: Neighbours,
  seconds: number,
): Promise<Waits> {
  const loaded = wrk(url, requests, { connections, seconds });
  const until = performance.now() + seconds * 1000 - 200;
  const times = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const caller = client(url, victim);
      const each: number[] = [];
      while (performance.now() < until) each.push((await caller.get(PAGE)).ms);
      caller.close();
      return each.slice(1);
    }),
  );
  await loaded;
  const sorted = times.flat().toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

function reportOf(waits: Readonly<Record<string, readonly Waits[]>>): string {
  const names = Object.keys(waits);
  const of = (name: string, which: keyof Waits): number[] => (waits[name] ?? []).map((round) => round[which]);
  const ratio = (one: string, many: string): string => {
    const beside = of(many, "p99");
    return spread(of(one, "p99").map((p99, round) => p99 / (beside[round] ?? Number.NaN)));
  };
  const [many = "", one = "", manyLarge = "", oneLarge = ""] = names;
  return [
    table(
      ["p99 of a page of 20, ratio", "measured", "floor"],
      [
        [`beside ${CALLS} calls at a time of one shop / of many`, ratio(one, many), "≤ 1"],
        [`beside one shop's pages of 42 MB / ${LARGE_CALLS} shops' pages of 1 MB`, ratio(oneLarge, manyLarge), "≤ 1"],
      ],
    ),
    "",
    table(
      ["a page of 20 beside", "p50 ms", "p99 ms"],
      names.map((name) => [name, median(of(name, "p50")).toFixed(1), spread(of(name, "p99"), 1)]),
    ),
  ].join("\n");
}
