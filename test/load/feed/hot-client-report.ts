import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import type { LocalStackState } from "@partner-connect/local-stack";
import { type FloorRow, floorTable, median, table } from "../table.ts";
import { connectedClients } from "./connected-clients.ts";
import { caughtUp, type HotClientRound, type HotClientWorld, hotClientRound } from "./hot-client.ts";
import { idleRound } from "./idle.ts";
import { type CpuShares, sumOf } from "./used-cpu.ts";

const HOT = 100_000;
const SMALL = { clients: 1000, shops: 10 };
const QUIET = 10_000;
const PLANS = { quick: { rounds: 1, seconds: 10, idle: 15 }, full: { rounds: 3, seconds: 30, idle: 60 } };

export interface FeedBenchOptions {
  readonly state: LocalStackState;
  readonly sql: Sql;
  readonly quick: boolean;
  readonly report: (line: string) => void;
}

/** One client with very many connections beside many small ones; and one waiting call while little happens. */
export async function benchHotClient({ state, sql, quick, report }: FeedBenchOptions): Promise<void> {
  const { rounds, seconds, idle: idleSeconds } = quick ? PLANS.quick : PLANS.full;
  report("making the clients");
  const [quiet] = await connectedClients(sql, { name: "quiet", clients: 1, shops: QUIET });
  const [hot] = await connectedClients(sql, { name: "hot", clients: 1, shops: HOT });
  const small = await connectedClients(sql, { name: "small", ...SMALL });
  if (!quiet || !hot) throw new Error("no clients");
  report("waiting until all connections are in the feeds");
  const began = performance.now();
  while (await isWaiting(sql)) await sleep(200);
  const relayed = (performance.now() - began) / 1000;
  await sql.unsafe("VACUUM (ANALYZE) oauth.change_notes, oauth.changes, oauth.connections, survey.stamps");
  await sql.unsafe("CHECKPOINT");

  const world: HotClientWorld = { state, sql, hot, small, cursors: new Map() };
  report("reading the hot client's feed from its beginning");
  const since = performance.now();
  await caughtUp(world, [hot]);
  const read = (performance.now() - since) / 1000;
  report("watching a client of whom little is new");
  const idle = await idleRound(world, quiet, idleSeconds);

  const beside: HotClientRound[] = [];
  const alone: HotClientRound[] = [];
  for (let round = 0; round < rounds; round++) {
    report(`round ${round + 1} of ${rounds}`);
    alone.push(await hotClientRound(world, false, seconds));
    beside.push(await hotClientRound(world, true, seconds));
  }
  const last = beside.at(-1) as HotClientRound;
  console.log(`
A client of ${HOT.toLocaleString("en")} connections beside ${SMALL.clients.toLocaleString("en")} of ${SMALL.shops}, all of whom wait at their feeds; ${rounds} rounds of ${seconds} s.
${median(beside.map(({ perSecond }) => perSecond)).toFixed(0)} changes a second; the hot client made ${median(beside.map(({ hotCalls }) => hotCalls)).toFixed(1)} calls a second.
All connections were in the feeds ${relayed.toFixed(0)} s after they were made; the hot client read its feed from the beginning in ${read.toFixed(0)} s.
`);
  console.log(`${floorTable(floors(alone, beside, idle))}\n`);
  console.log(
    `${table(["CPU, of a core", "beside the hot client", "nothing waits, no relay", "10,000 connections watched"], cpuRows(last.cpu, idle))}\n`,
  );
}

function floors(
  alone: readonly HotClientRound[],
  beside: readonly HotClientRound[],
  { without, watched }: { readonly without: CpuShares; readonly watched: CpuShares },
): FloorRow[] {
  const ratio = beside.map(({ small }, round) => small.p99 / (alone[round]?.small.p99 ?? Number.NaN));
  return [
    ["from commit to the hot client's reader, p50 ms", beside.map(({ hot }) => hot?.p50 ?? Number.NaN), "", "", 0],
    ["the same, p99 ms", beside.map(({ hot }) => hot?.p99 ?? Number.NaN), "≤ 1000", "", 0],
    ["to the small clients' readers, p50 ms", beside.map(({ small }) => small.p50), "", "", 0],
    ["the same, p99 ms", beside.map(({ small }) => small.p99), "≤ 1000", "", 0],
    ["small clients' p99, with the hot one / without", ratio],
    ["changes that were not read", [...alone, ...beside].map(({ missing }) => missing), "≤ 0", "", 0],
    ["10,000 connections watched, % of a core", [(sumOf(watched) - sumOf(without)) * 100], "≤ 5", "", 1],
  ];
}

function cpuRows(beside: CpuShares, idle: { readonly without: CpuShares; readonly watched: CpuShares }): string[][] {
  const percent = (share = 0) => `${(share * 100).toFixed(1)} %`;
  return Object.keys(beside).map((name) => [
    name,
    ...[beside[name], idle.without[name], idle.watched[name]].map((share) => percent(share)),
  ]);
}

async function isWaiting(sql: Sql): Promise<boolean> {
  return (await sql`SELECT FROM oauth.change_notes LIMIT 1`).length > 0;
}
