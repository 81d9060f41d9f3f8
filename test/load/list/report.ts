import { cpuMs, type Served } from "../served.ts";
import { type FloorRow, floorTable, median, spread, table } from "../table.ts";
import type { Combinations } from "./combinations.ts";
import type { DataSetSize } from "./data-set.ts";
import { HTTP_CONNECTIONS, PAGE, PGBENCH_CLIENTS, type ThroughputRound } from "./throughput.ts";

export interface ListResults {
  readonly size: DataSetSize;
  readonly rounds: readonly Round[];
  readonly combinations: Combinations;
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

/** What `pnpm bench list` prints of one caller: the ratios with their floors and aims, then the figures that they come from. */
export function listReport({ size, rounds, combinations }: ListResults): string {
  const each = (pick: (round: Round) => number): number[] => rounds.map(pick);
  const ratio = (of: (load: ThroughputRound) => number, to: (load: ThroughputRound) => number) =>
    rounds.map(({ load }) => of(load) / to(load));
  const ours = ({ ours }: ThroughputRound) => ours.perSecond;
  const column = (pick: (round: Round) => number, digits?: number): string => spread(each(pick), digits);
  const walks = Object.keys(rounds[0]?.depths ?? {}).map((name) => {
    const ratios = each(({ depths }) => depths[name] ?? Number.NaN);
    return { name, ratios, median: median(ratios) };
  });
  const deepest = walks.toSorted((a, b) => b.median - a.median)[0];
  const [slowest] = combinations.slowest;
  const floors: FloorRow[] = [
    ["pages/s, ours / pgbench", ratio(ours, ({ bare }) => bare), "≥ 0.45", "0.65"],
    [
      "CPU a page, ours / naive",
      ratio(
        ({ ours }) => cpuMs(ours),
        ({ naive }) => cpuMs(naive),
      ),
      "≤ 0.40",
      "0.25",
    ],
    ["pages/s, ours / naive", ratio(ours, ({ naive }) => naive.perSecond), "≥ 3", "5"],
    [`page at depth 0.9 / first (${deepest?.name})`, deepest?.ratios ?? [], "≤ 1.2", "1.05"],
    ["worst combination, ms in Postgres", [slowest?.ms ?? Number.NaN], "≤ 10", "2"],
    ["resident memory under load, MB", each(({ load }) => load.resident / 2 ** 20), "≤ 240", "130", 0],
    ["whole shop by next / COPY, rows/s", each(({ walked, copied }) => walked / copied), "≥ 0.3", "0.6"],
  ];
  const served = (pick: (load: ThroughputRound) => Served): string[] => [
    column(({ load }) => pick(load).perSecond, 0),
    column(({ load }) => pick(load).nodeMs),
    column(({ load }) => pick(load).postgresMs),
  ];
  return [
    `One caller: ${size.responses} responses, ${size.responses / 3} of them in the shop that is read; ${PAGE} a page, with cursors of every age,`,
    `by wrk on ${HTTP_CONNECTIONS} connections, unless said otherwise. ${rounds.length} interleaved rounds of ${rounds[0]?.seconds} s each; median (lowest to highest).`,
    "",
    floorTable(floors),
    "",
    table(
      ["Load, Node, Postgres and Redis share the cores", "pages/s", "Node CPU ms a page", "Postgres CPU ms a page"],
      [
        [`pgbench, ${PGBENCH_CLIENTS} clients, the bare page query`, column(({ load }) => load.bare, 0), "", ""],
        ["ours", ...served(({ ours }) => ours)],
        ["naive", ...served(({ naive }) => naive)],
      ],
    ),
    "",
    table(
      ["page at depth 0.9 / first page, end to end", "ratio"],
      walks.map(({ name, ratios }) => [name, spread(ratios)]),
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
  ].join("\n");
}
