import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import * as http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchStack, type Caller, startBenchStack } from "./bench-stack.ts";
import { everyCombination } from "./combinations.ts";
import { cursorCount, FIRST_CURSOR, FULL, QUICK, SHOP, SORTS } from "./data-set.ts";
import {
  cpuMs,
  inRounds,
  LOAD_COLUMNS,
  type Load,
  type LoadRequest,
  loadRow,
  measure,
  residentMb,
  type Server,
  startPeer,
} from "./measure.ts";
import { type FloorRow, floorTable, median, spread, table } from "./table.ts";

const PLANS = {
  quick: { size: QUICK, rounds: 3, seconds: 2, asked: 60, draws: 4 },
  full: { size: FULL, rounds: 7, seconds: 8, asked: 150, draws: 11 },
};
const PAGE = 50;
const SOCKETS = 64;
const PGBENCH_CLIENTS = 4;
/** Concurrent calls of one neighbour shop, or of all shops together. */
const NEIGHBOUR_CALLS = 600;
/** A prime, so that cursors of every age follow each other. */
const STRIDE = 7919;

/** The list against pgbench, a naive peer and COPY, in turns, on a data set that is kept. */
export async function benchList({ quick, ...how }: BenchOptions): Promise<void> {
  const { tls, against } = how;
  const plan = quick ? PLANS.quick : PLANS.full;
  const stack = await startBenchStack(plan.size, how, console.error);
  const peer = await startPeer<{ url: string }>("naive-list", {
    DATABASE_URL: stack.databaseUrl + new URL(stack.serviceDatabaseUrl).search,
  });
  const naive = { url: peer.url, pids: { ...stack.server.pids, node: peer.pid } };
  try {
    const callers = await stack.sql<Caller[]>`
      SELECT id AS "connectionId", shop_id AS "shopId", client_id AS "clientId" FROM oauth.connections ORDER BY md5(id)`;
    const own = callers.find(({ shopId }) => shopId === SHOP) as Caller;
    const shops = await shopRequests(stack, callers);
    const bench = {
      stack,
      naive,
      callers,
      own,
      shops,
      cursors: await stack.sql<Cursor[]>`
        SELECT id, survey.timestamp_text(inserted_at) AS time FROM survey.responses
        WHERE shop_id = ${SHOP} AND id ~ '^[0-9]+$' ORDER BY id`,
      plan,
      depths: await walks(stack, (plan.size.responses / 3) * 0.9),
    };
    const rounds = await inRounds(plan, (seconds, round) => measureRound(bench, seconds, round));
    const neighbours = await inRounds(plan, (seconds) => measureNeighbours(bench, seconds), 1);
    console.error("every combination");
    const combinations = await everyCombination(stack, plan.draws, await ask(stack, own));
    const title = `${plan.size.responses} responses, ${plan.size.responses / 3} of them in the shop that is read; ${SOCKETS} sockets${tls ? ", TLS to the stores" : ""}.
The mix: ${callers.length} callers; 60 % polls with nothing new, 25 % pages of ${PAGE}, 15 % pages of 1,000.
${rounds.length} interleaved rounds of ${plan.seconds} s; median (lowest to highest).`;
    const report = listReport(rounds, neighbours, combinations, against);
    console.log(`\n${title}\n\n${report}\n`);
  } finally {
    AGENT.destroy();
    peer.stop();
    await stack.stop();
  }
}

interface BenchOptions {
  readonly quick: boolean;
  readonly tls: boolean;
  readonly against?: string | undefined;
}

interface Cursor {
  readonly id: string;
  readonly time: string;
}

interface Bench {
  readonly stack: BenchStack;
  readonly naive: Server;
  readonly callers: readonly Caller[];
  /** The caller of the shop that is read. */
  readonly own: Caller;
  readonly shops: ReadonlyMap<string, Paths>;
  readonly cursors: readonly Cursor[];
  readonly plan: (typeof PLANS)["full"];
  readonly depths: readonly Walk[];
}

async function measureRound(
  { stack, naive, callers, own, shops, cursors, plan, depths }: Bench,
  seconds: number,
  round: number,
) {
  const tokens = await stack.tokens(callers);
  const headers = { authorization: `Bearer ${tokens[callers.indexOf(own)]}` };
  const count = cursorCount(plan.size);
  // The paths are those of the links `next`.
  const pages = cursors.map((_, index) => {
    const { id, time } = cursors[(index * STRIDE) % count] as Cursor;
    const path = `/api/responses?limit=${PAGE}&starting_after=${id}&cursor_time=${time}`;
    return { path, headers };
  });
  const compare = async (requests: readonly ShopRequest[]) => {
    const loads: Partial<Record<"ours" | "naive" | "other", Load>> = {};
    const targets = [
      ["ours", stack.server, requests],
      ["naive", naive, requests.map(namingShop)],
      ...(stack.other ? [["other", stack.other, requests] as const] : []),
    ] as const;
    for (const [name, server, own] of round % 2 === 0 ? targets : targets.toReversed())
      loads[name] = await measure(server, own, SOCKETS, seconds);
    return loads as { readonly ours: Load; readonly naive: Load; readonly other?: Load };
  };
  const get = await ask(stack, own);
  return {
    pages: { ...(await compare(pages)), pgbench: await pgbench(stack, count, seconds) },
    // With new tokens: some of the first ones end within a minute.
    mix: await compare(mixOf(callers, await stack.tokens(callers), shops)),
    memory: await residentMb(stack.server.pids.node),
    /** Rows a second. */
    copied: await copyShop(stack, plan.size.responses / 3),
    walked: await walkShop(get, plan.size.responses / 3),
    /** Deep page / first page, by the walk's name. */
    depths: await depthRatios(get, depths, plan.asked),
  };
}
type Round = Awaited<ReturnType<typeof measureRound>>;

/** Call it last, because {@link NEIGHBOUR_CALLS} sockets take memory that the process keeps. */
async function measureNeighbours({ stack, callers, own }: Bench, seconds: number) {
  const tokens = await stack.tokens(callers);
  const small = callers.flatMap(({ shopId }, index) =>
    shopId === SHOP
      ? []
      : [
          {
            path: `/api/responses?limit=${PAGE}`,
            headers: { authorization: `Bearer ${tokens[index]}` },
          },
        ],
  );
  const get = await ask(stack, own);
  return {
    /** Milliseconds: p99 of a small page beside one shop's calls, and beside those of many. */
    besideOne: await besideNeighbours(stack.server, get, small.slice(0, 1), seconds),
    besideMany: await besideNeighbours(stack.server, get, small.slice(0, NEIGHBOUR_CALLS), seconds),
    memory: await residentMb(stack.server.pids.node),
  };
}

function listReport(
  rounds: readonly Round[],
  neighbours: readonly Awaited<ReturnType<typeof measureNeighbours>>[],
  combinations: readonly number[],
  against: string | undefined,
): string {
  const each = (pick: (round: Round) => number): number[] => rounds.map(pick);
  const names = Object.keys(rounds[0]?.depths ?? {});
  const ofDepth = (name: string) => each(({ depths }) => depths[name] ?? Number.NaN);
  const deepest = names.toSorted((a, b) => median(ofDepth(b)) - median(ofDepth(a)))[0] ?? "";
  const row = (name: string, pick: (round: Round) => Load) => loadRow(name, rounds.map(pick));
  const rate = (name: string, pick: (round: Round) => number) => [
    name,
    spread(each(pick), 0),
    "",
    "",
  ];
  const ratio = (kind: "pages" | "mix", pick: (load: Load) => number) =>
    each((round) => pick(round[kind].ours) / pick(round[kind].naive));
  const perSecond = (load: Load) => load.perSecond;
  const againstOther = (["pages", "mix"] as const).flatMap((kind): FloorRow[] => {
    if (against === undefined) return [];
    const shares = (pick: (load: Load) => number) =>
      each(({ [kind]: { ours, other } }) => pick(ours) / pick(other as Load));
    return [
      [`${kind}, requests/s, ours / ${against}`, shares(perSecond)],
      [`${kind}, CPU a request, ours / ${against}`, shares(cpuMs)],
    ];
  });
  return [
    floorTable([
      ...againstOther,
      ["pages/s, ours / naive", ratio("pages", perSecond), "≥ 2", "3"],
      ["CPU a page, ours / naive", ratio("pages", cpuMs), "≤ 0.5", "0.3"],
      [
        "pages/s, ours / pgbench",
        each(({ pages }) => pages.ours.perSecond / pages.pgbench),
        "≥ 0.45",
        "0.65",
      ],
      ["the mix, requests/s, ours / naive", ratio("mix", perSecond), "≥ 3", "5"],
      ["the mix, CPU a request, ours / naive", ratio("mix", cpuMs)],
      [`page at depth 0.9 / first (${deepest})`, ofDepth(deepest), "≤ 1.2", "1.05"],
      ["combinations, median ms in Postgres", [median(combinations)], "≤ 2", "1"],
      ["combinations, worst ms in Postgres", [Math.max(...combinations)], "≤ 150", "50"],
      [
        "whole shop by next / COPY, rows/s",
        each(({ walked, copied }) => walked / copied),
        "≥ 0.7",
        "1.0",
      ],
      [
        `p99 of a page of 20, beside ${NEIGHBOUR_CALLS} calls of one shop / of many`,
        neighbours.map(({ besideOne, besideMany }) => besideOne / besideMany),
        ...(["≤ 3", "1.5"] as const),
      ],
      [
        `resident memory after pages and mix on ${SOCKETS} sockets, MB`,
        each(({ memory }) => memory),
        "≤ 240",
        "150",
        0,
      ],
      [
        `the same after ${NEIGHBOUR_CALLS} sockets`,
        neighbours.map(({ memory }) => memory),
        "",
        "",
        0,
      ],
    ]),
    table(
      ["load and servers share the cores", ...LOAD_COLUMNS],
      [
        row(`pages of ${PAGE}, ours`, ({ pages }) => pages.ours),
        row(`pages of ${PAGE}, naive`, ({ pages }) => pages.naive),
        rate(
          `the bare page query, pgbench, ${PGBENCH_CLIENTS} clients`,
          ({ pages }) => pages.pgbench,
        ),
        row("the mix, ours", ({ mix }) => mix.ours),
        row("the mix, naive", ({ mix }) => mix.naive),
        rate("rows of the whole shop by next, limit 1000", ({ walked }) => walked),
        rate("the same by COPY to psql", ({ copied }) => copied),
      ],
    ),
  ].join("\n\n");
}

// The mix

interface ShopRequest extends LoadRequest {
  readonly shopId?: string;
}

/** The naive peer does not know who calls. */
function namingShop({ shopId = SHOP, ...request }: ShopRequest): LoadRequest {
  return { ...request, path: `${request.path}&shop=${shopId}` };
}

/** Kinds of requests, and their share of 20. */
const SHARES = { poll: 12, page: 5, "large page": 3 } as const;
type Kind = keyof typeof SHARES;
const TWENTY = (Object.keys(SHARES) as Kind[]).flatMap((kind) =>
  Array<Kind>(SHARES[kind]).fill(kind),
);
/** Prime to 20, so that 20 callers in a row ask as {@link TWENTY} says, one of each. */
const STEP = 7;

type Paths = Readonly<Record<Kind, readonly string[]>>;

/** The requests of each shop's callers, by the server's own links. */
async function shopRequests(
  stack: BenchStack,
  callers: readonly Caller[],
): Promise<ReadonlyMap<string, Paths>> {
  const paths = new Map<string, Paths>();
  for (const caller of callers) {
    if (paths.has(caller.shopId)) continue;
    const get = await ask(stack, caller);
    const page = async (path: string) => JSON.parse((await get(path)).body.toString());
    const [last] = (await page("/api/responses?sort=updated_at_desc&limit=1")).data;
    const poll = `/api/responses?sort=updated_at_asc&limit=1000&starting_after=${last.id}&cursor_time=${last.updated_at}`;
    const large = ["/api/responses?limit=1000"];
    while (large.length < 4) {
      const { next } = await page(large.at(-1) as string);
      if (next === null) break;
      large.push(next.slice(new URL(next).origin.length));
    }
    paths.set(caller.shopId, {
      poll: [poll],
      page: [`/api/responses?limit=${PAGE}`],
      "large page": large,
    });
  }
  return paths;
}

/** Twenty requests of each caller, interleaved. */
function mixOf(
  callers: readonly Caller[],
  tokens: readonly string[],
  shops: ReadonlyMap<string, Paths>,
) {
  return TWENTY.flatMap((_, turn) =>
    callers.map(({ shopId }, index) => {
      const known =
        shops.get(shopId)?.[TWENTY[(turn + index * STEP) % TWENTY.length] as Kind] ?? [];
      const path = known[(turn + index) % known.length] as string;
      return { shopId, path, headers: { authorization: `Bearer ${tokens[index]}` } };
    }),
  );
}

// pgbench and COPY

/** The least that a page needs: two index scans, without the caller's state or other checks. */
const bareScan = (
  condition: string,
): string => `(SELECT r.inserted_at, r.id, r.doc FROM survey.responses r
  WHERE r.shop_id = '${SHOP}' AND ${condition}
    AND (r.inserted_at, r.id) < (SELECT inserted_at, id FROM survey.responses WHERE shop_id = '${SHOP}' AND id = (:cursor)::bigint::text)
  ORDER BY r.inserted_at DESC, r.id DESC LIMIT ${PAGE + 1})`;
const bareScript = (
  cursors: number,
): string => `\\set cursor random(${FIRST_CURSOR}, ${FIRST_CURSOR + cursors - 1})
SELECT r.doc FROM (${bareScan("r.updated_at = r.inserted_at")} UNION ALL ${bareScan("r.updated_at > r.inserted_at")}) r
  ORDER BY r.inserted_at DESC, r.id DESC LIMIT ${PAGE + 1};
`;

/** Pages a second of the bare query, prepared, with the settings of the service's role. */
async function pgbench({ serviceDatabaseUrl }: BenchStack, cursors: number, seconds: number) {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-pgbench-"));
  try {
    await writeFile(join(folder, "page.sql"), bareScript(cursors));
    const { stdout } = await promisify(execFile)("pgbench", [
      ...[
        "--no-vacuum",
        "--protocol=prepared",
        "--jobs=1",
        `--client=${PGBENCH_CLIENTS}`,
        `--time=${seconds}`,
      ],
      ...["--file", join(folder, "page.sql"), serviceDatabaseUrl],
    ]);
    const perSecond = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1];
    if (!/number of failed transactions: 0 /.test(stdout)) throw new Error(`pgbench: ${stdout}`);
    return Number(perSecond ?? 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rows per second that psql copies, for the same records in the same order as {@link walkShop}. */
async function copyShop({ databaseUrl }: BenchStack, responses: number): Promise<number> {
  const rows = `SELECT doc FROM survey.responses WHERE shop_id = '${SHOP}' ORDER BY inserted_at DESC, id DESC`;
  const began = performance.now();
  const child = spawn(
    "psql",
    ["--no-psqlrc", "--command", `COPY (${rows}) TO STDOUT`, databaseUrl],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`psql: exit ${code}`);
  return responses / ((performance.now() - began) / 1000);
}

// One caller, one request after the other on one connection

const AGENT = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Asks for a path. @throws unless the status is 200 */
type Get = (path: string) => Promise<{ readonly ms: number; readonly body: Buffer }>;

async function ask({ server, tokens }: BenchStack, caller: Caller): Promise<Get> {
  const headers = { authorization: `Bearer ${await tokens([caller])}` };
  return (path) =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      http
        .get(server.url + path, { agent: AGENT, headers }, async (response) => {
          const body = Buffer.concat(await response.toArray());
          if (response.statusCode === 200) resolve({ ms: performance.now() - began, body });
          else reject(new Error(`${path}: ${response.statusCode} ${body}`));
        })
        .on("error", reject);
    });
}

/** Responses a second of a partner who copies the whole shop by `next`, with limit 1000. */
async function walkShop(get: Get, responses: number): Promise<number> {
  const began = performance.now();
  let pages = 0;
  for (let path: string | null = "/api/responses?limit=1000"; path !== null; pages++) {
    const { body } = await get(path);
    // The envelope ends with `"next":…}`; nothing before that is parsed.
    const end = body.subarray(-2000).toString();
    const next = JSON.parse(end.slice(end.lastIndexOf('"next":') + 7, -1)) as string | null;
    path = next === null ? null : next.slice(new URL(next).origin.length);
  }
  if (pages !== responses / 1000) throw new Error(`${pages} pages of ${responses} responses`);
  return responses / ((performance.now() - began) / 1000);
}

type Walk = Awaited<ReturnType<typeof walks>>[number];

/** Each sort in both directions (`ending_before` from the end): first, and at `depth`. */
async function walks({ sql }: BenchStack, depth: number) {
  const found: { readonly name: string; readonly first: string; readonly deep: string }[] = [];
  for (const sort of SORTS) {
    const [column = "", direction = ""] = sort.split(/_(?=desc|asc)/);
    const opposite = direction === "desc" ? "asc" : "desc";
    const idAt = async (offset: number, order: string): Promise<string> => {
      const [row] = await sql.unsafe<{ id: string }[]>(
        `SELECT id FROM survey.responses WHERE shop_id = $1 ORDER BY ${column} ${order}, id ${order} OFFSET $2 LIMIT 1`,
        [SHOP, offset],
      );
      return row?.id ?? "";
    };
    const path = `/api/responses?limit=${PAGE}&sort=${sort}`;
    const before = async (offset: number) =>
      `${path}&ending_before=${await idAt(offset, opposite)}`;
    found.push(
      {
        name: `${sort}, next`,
        first: path,
        deep: `${path}&starting_after=${await idAt(depth, direction)}`,
      },
      { name: `${sort}, prev`, first: await before(0), deep: await before(depth) },
    );
  }
  return found;
}

/** Median time of the deep page divided by that of the first page, with alternating requests. */
async function depthRatios(get: Get, all: readonly Walk[], times: number) {
  const ratios: Record<string, number> = {};
  for (const { name, first, deep } of all) {
    const taken: [number[], number[]] = [[], []];
    for (let i = 0; i < times; i++) {
      taken[0].push((await get(first)).ms);
      taken[1].push((await get(deep)).ms);
    }
    ratios[name] = median(taken[1]) / median(taken[0]);
  }
  return ratios;
}

/** p99 of a page of 20 while the neighbours' requests load the server. */
async function besideNeighbours(
  server: Server,
  get: Get,
  neighbours: readonly LoadRequest[],
  seconds: number,
) {
  // So many calls at once may be refused; those of the measured shop may not.
  const loaded = measure(server, neighbours, NEIGHBOUR_CALLS, seconds).catch(() => {});
  const until = performance.now() + seconds * 1000 - 200;
  const times: number[] = [];
  while (performance.now() < until) times.push((await get("/api/responses?limit=20")).ms);
  await loaded;
  return (
    times.slice(1).toSorted((a, b) => a - b)[Math.floor(0.99 * (times.length - 1))] ?? Number.NaN
  );
}
