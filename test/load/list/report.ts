import { median, spread, table } from "../table.ts";
import type { WarmAuthentication } from "./authentication.ts";
import type { Combinations } from "./combinations.ts";
import type { DataSetSize } from "./data-set.ts";
import {
  FEW_CONNECTIONS,
  HTTP_CONNECTIONS,
  PAGE,
  PGBENCH_CLIENTS,
  type Served,
  type ThroughputRound,
} from "./throughput.ts";

export interface ListResults {
  readonly size: DataSetSize;
  readonly rounds: readonly Round[];
  readonly combinations: Combinations;
  readonly warm: WarmAuthentication;
}

export interface Round {
  readonly seconds: number;
  readonly load: ThroughputRound;
  /** Rows a second. */
  readonly copied: number;
  readonly walked: number;
  /** By the walk's name. */
  readonly depths: Readonly<Record<string, number>>;
}

/** What `pnpm bench list` prints: the ratios with their floors and aims, then the figures that they come from. */
export function listReport({ size, rounds, combinations, warm }: ListResults): string {
  const column = (pick: (round: Round) => number, digits?: number): string => spread(rounds.map(pick), digits);
  const walks = Object.keys(rounds[0]?.depths ?? {}).map((name) => ({
    name,
    median: median(rounds.map(({ depths }) => depths[name] ?? Number.NaN)),
    ratio: column(({ depths }) => depths[name] ?? Number.NaN),
  }));
  const deepest = walks.toSorted((a, b) => b.median - a.median)[0];
  const [slowest] = combinations.slowest;

  const ratios = [
    ["pages/s, ours / pgbench", column(({ load }) => load.ours.perSecond / load.pgbench), "≥ 0.65", "0.90"],
    ["CPU a page, ours / naive", column(({ load }) => cpu(load.ours) / cpu(load.naive)), "≤ 0.40", "0.25"],
    ["CPU a page, ours / naive list alone", column(({ load }) => cpu(load.ours) / cpu(load.alone)), "", ""],
    ["pages/s, ours / naive", column(({ load }) => load.ours.perSecond / load.naive.perSecond), "≥ 3", "5"],
    [`page at depth 0.9 / first (${deepest?.name})`, deepest?.ratio ?? "", "≤ 1.2", "1.05"],
    ["worst combination, ms in Postgres", slowest?.ms.toFixed(2) ?? "", "≤ 10", "2"],
    ["caller from a warm cache, µs", warm.accessTokenUs.toFixed(2), "≤ 5", "2"],
    ["uses of the network meanwhile", String(warm.networkUse), "0", "0"],
    ["resident memory under load, MB", column(({ load }) => load.resident / 2 ** 20, 0), "≤ 240", "130"],
    ["whole shop by next / COPY, rows/s", column(({ walked, copied }) => walked / copied), "≥ 0.3", "0.6"],
  ];
  const served = (pick: (load: ThroughputRound) => Served): string[] => [
    column(({ load }) => pick(load).perSecond, 0),
    column(({ load }) => pick(load).nodeMs),
    column(({ load }) => pick(load).postgresMs),
  ];
  return [
    `List of responses: ${size.responses} responses, ${size.responses / 3} of them in the shop that is read; ${PAGE} a page, with cursors of`,
    `every age, unless said otherwise. ${rounds.length} interleaved rounds of ${rounds[0]?.seconds} s each; median (lowest to highest).`,
    "",
    table(["", "measured", "floor", "aim"], ratios),
    "",
    "Against pgbench with the bare page query (one walk of an index, and no question who calls), and the naive peer without duties:",
    "",
    table(
      ["by wrk on so many connections", String(FEW_CONNECTIONS), "floor", "aim", String(HTTP_CONNECTIONS)],
      [
        [
          "pages/s, ours / bare",
          column(({ load }) => load.few.ours.perSecond / load.bare),
          "≥ 0.45",
          "0.65",
          column(({ load }) => load.ours.perSecond / load.bare),
        ],
        [
          "pages/s, ours / naive list alone",
          column(({ load }) => load.few.ours.perSecond / load.few.alone.perSecond),
          "≥ 2.7",
          "5",
          column(({ load }) => load.ours.perSecond / load.alone.perSecond),
        ],
      ],
    ),
    "",
    `By wrk on ${HTTP_CONNECTIONS} connections, one replica, unless said otherwise. Load, Node, Postgres and Redis share the cores.`,
    "",
    table(
      ["", "pages/s", "Node CPU ms a page", "Postgres CPU ms a page"],
      [
        [`pgbench, ${PGBENCH_CLIENTS} clients, prepared`, column(({ load }) => load.pgbench, 0), "", ""],
        ["ours", ...served(({ ours }) => ours)],
        ["naive", ...served(({ naive }) => naive)],
        ["naive, list alone", ...served(({ alone }) => alone)],
        ["pgbench, the bare page query", column(({ load }) => load.bare, 0), "", ""],
        [`ours, ${FEW_CONNECTIONS} connections`, ...served(({ few }) => few.ours)],
        [`naive, list alone, ${FEW_CONNECTIONS} connections`, ...served(({ few }) => few.alone)],
      ],
    ),
    "",
    table(
      ["page at depth 0.9 / first page, end to end", "ratio"],
      walks.map(({ name, ratio }) => [name, ratio]),
    ),
    "",
    table(
      ["whole shop", "rows/s"],
      [
        ["COPY to psql", column(({ copied }) => copied, 0)],
        ["ours, by next, limit 1000", column(({ walked }) => walked, 0)],
      ],
    ),
    "",
    `Time in Postgres of ${combinations.requests} requests of ${combinations.shapes} shapes (sort × filters × cursor), the slowest:`,
    "",
    table(
      ["ms", "request"],
      combinations.slowest.slice(0, 5).map(({ ms, query }) => [ms.toFixed(2), query]),
    ),
    "",
    `Warm authentication: access token ${warm.accessTokenUs.toFixed(2)} µs, API key ${warm.apiKeyUs.toFixed(2)} µs.`,
  ].join("\n");
}

function cpu({ nodeMs, postgresMs }: Served): number {
  return nodeMs + postgresMs;
}
