import { cpuMs, type Served } from "../served.ts";
import { type FloorRow, floorTable, spread, table } from "../table.ts";
import { type Mix, type MixRound, mixName, NAIVE, OURS, SOCKETS, WAYS, type Way } from "./loads.ts";
import { KINDS } from "./requests.ts";

/** The ratios of the mix with their floors, and the figures that they come from. */
export function mixReport({ checkouts, callers }: Mix, rounds: readonly MixRound[], seconds: number): string {
  const of = (name: string): readonly Served[] => rounds.map(({ served }) => served[name] as Served);
  const ratio = (name: string, other: string, pick: (one: Served) => number): readonly number[] =>
    of(name).map((one, round) => pick(one) / pick(of(other)[round] as Served));
  const bare = (way: Way): readonly number[] => rounds.map(({ pgbench }) => pgbench[way]);
  const perSecond = (one: Served): number => one.perSecond;
  const [, most] = SOCKETS;
  const at = (server: string, way: Way) => mixName(server, way, most);

  const floors = WAYS.flatMap((way): FloorRow[] => [
    [`requests/s, ours / naive, ${way}`, ratio(at(OURS, way), at(NAIVE, way), perSecond), "≥ 3", "5"],
    [`CPU a request, ours / naive, ${way}`, ratio(at(OURS, way), at(NAIVE, way), cpuMs), "≤ 0.4", "0.2"],
    [
      `requests/s, ours / bare pgbench, ${way}`,
      of(at(OURS, way)).map((one, i) => one.perSecond / (bare(way)[i] ?? Number.NaN)),
    ],
    [
      `CPU of a poll / of a page of 50, ${way}`,
      ratio(mixName(OURS, way, "poll"), mixName(OURS, way, "page of 50"), cpuMs),
      "≤ 0.6",
      "0.33",
    ],
  ]);
  const encrypted: FloorRow = [
    "requests/s, TLS / plain",
    ratio(at(OURS, "TLS"), at(OURS, "plain"), perSecond),
    "≥ 0.8",
    "0.95",
  ];
  const loads = [...SOCKETS, ...KINDS].flatMap((load) => WAYS.map((way) => ({ load, way })));
  const others = checkouts.slice(1).flatMap((other) =>
    loads.map(({ load, way }): FloorRow => {
      const name = mixName(other, way, load);
      return [`CPU, ${name} / ours`, ratio(name, mixName(OURS, way, load), cpuMs)];
    }),
  );
  const cells = (name: string): string[] => {
    const column = (pick: (one: Served) => number, digits: number) => spread(of(name).map(pick), digits);
    const parts = (["nodeMs", "postgresMs", "redisMs"] as const).map(
      (part) => column((one) => one[part], 3).split(" ")[0],
    );
    return [name, column(perSecond, 0), column(({ p99 }) => p99, 1), column(cpuMs, 3), parts.join(" + ")];
  };
  const names = loads.flatMap(({ load, way }) => [...checkouts, NAIVE].map((server) => mixName(server, way, load)));
  const head = [
    `by sockets, or on ${SOCKETS[0]} of one kind`,
    "requests/s",
    "p99 ms",
    "CPU ms a request",
    "Node + Postgres + Redis",
  ];
  return [
    `The mix: ${callers} callers, each within 600 requests a minute, with tokens of 900 s; 60 % ask for what is new and get nothing, 25 % for a`,
    `page of 50, 15 % for a page of 1,000. ${rounds.length} interleaved rounds of ${seconds} s; median (lowest to highest).`,
    "",
    floorTable([...floors, encrypted, ...others]),
    "",
    table(head, [
      ...names.filter((name) => rounds[0]?.served[name]).map(cells),
      ...WAYS.map((way) => [`bare pgbench, ${way}`, spread(bare(way), 0), "", "", ""]),
    ]),
  ].join("\n");
}
