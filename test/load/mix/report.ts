import { cpuMs, type Served } from "../served.ts";
import { type FloorRow, floorTable, median, spread, table } from "../table.ts";
import { type Mix, type MixRound, mixName, OURS, SOCKETS, WAYS, type Way } from "./loads.ts";
import { KINDS } from "./requests.ts";

/** The ratios of the mix with their floors, and the figures that they come from. */
export function mixReport({ checkouts, callers }: Mix, rounds: readonly MixRound[], seconds: number): string {
  const of = (name: string): readonly Served[] => rounds.map(({ served }) => served[name] as Served);
  const ratio = (name: string, other: string, pick: (one: Served) => number): readonly number[] =>
    of(name).map((one, round) => pick(one) / pick(of(other)[round] as Served));
  const perSecond = (one: Served): number => one.perSecond;
  const [, most] = SOCKETS;
  const at = (server: string, way: Way) => mixName(server, way, most);

  const floors = WAYS.flatMap((way): FloorRow[] => [
    [`requests/s, ours / naive, ${way}`, ratio(at(OURS, way), at("naive", way), perSecond), { floor: "≥ 3", aim: "5" }],
    [
      `CPU a request, ours / naive, ${way}`,
      ratio(at(OURS, way), at("naive", way), cpuMs),
      { floor: "≤ 0.4", aim: "0.2" },
    ],
    [
      `requests/s, ours / bare pgbench, ${way}`,
      rounds.map(({ served, pgbench }) => (served[at(OURS, way)]?.perSecond ?? 0) / pgbench[way]),
    ],
    ...KINDS.slice(0, 2).map((kind): FloorRow => {
      const values = ratio(mixName(OURS, way, kind), mixName(OURS, way, "page of 50"), cpuMs);
      return [`CPU of a ${kind} / of a page of 50, ${way}`, values, { floor: "≤ 0.6", aim: "0.33" }];
    }),
  ]);
  const encrypted = ratio(at(OURS, "TLS"), at(OURS, "plain"), perSecond);
  const cells = (name: string): string[] => {
    const column = (pick: (one: Served) => number, digits: number) => spread(of(name).map(pick), digits);
    const each = (pick: (one: Served) => number) => median(of(name).map(pick)).toFixed(3);
    const parts = [each(({ nodeMs }) => nodeMs), each(({ postgresMs }) => postgresMs), each(({ redisMs }) => redisMs)];
    return [name, column(perSecond, 0), column(({ p99 }) => p99, 1), column(cpuMs, 3), parts.join(" + ")];
  };
  const loads = [...SOCKETS, ...KINDS];
  const names = loads.flatMap((load) =>
    WAYS.flatMap((way) => [...checkouts, "naive"].map((server) => mixName(server, way, load))),
  );
  const others = checkouts.slice(1).flatMap((other) =>
    loads.flatMap((load) =>
      WAYS.map((way): FloorRow => {
        const [theirs, ours] = [mixName(other, way, load), mixName(OURS, way, load)];
        return [`CPU, ${theirs} / ours`, ratio(theirs, ours, cpuMs)];
      }),
    ),
  );
  return [
    `The mix: ${callers} callers, each within 600 requests a minute, with tokens of 900 s; 60 % ask for what is new and get nothing, 25 % for a`,
    `page of 50, 15 % for a page of 1,000. ${rounds.length} interleaved rounds of ${seconds} s; median (lowest to highest).`,
    "",
    floorTable([...floors, ["requests/s, TLS / plain", encrypted, { floor: "≥ 0.8", aim: "0.95" }]]),
    "",
    ...(others.length > 0 ? [floorTable(others), ""] : []),
    table(
      [
        `by sockets, or on ${SOCKETS[0]} of one kind`,
        "requests/s",
        "p99 ms",
        "CPU ms a request",
        "Node + Postgres + Redis",
      ],
      [
        ...names.filter((name) => rounds[0]?.served[name]).map(cells),
        ...WAYS.map((way) => [
          `bare pgbench, ${way}`,
          spread(
            rounds.map(({ pgbench }) => pgbench[way]),
            0,
          ),
          "",
          "",
          "",
        ]),
      ],
    ),
  ].join("\n");
}
