import {
  ACCESS_TOKEN_SECONDS,
  BYTES,
  CITUS_CPU_MS,
  CPU_MS,
  NOTIFIERS,
  POSTGRES_CONNECTIONS,
  TOKEN_CALLS_A_MINUTE,
} from "./measured.ts";

interface Use {
  readonly name: string;
  /** Seconds between two refreshes of one connection. */
  readonly refreshEvery: number;
  /** Pages read between two refreshes. */
  readonly pages: number;
}

const USES: readonly Use[] = [
  { name: "read once an hour, two pages", refreshEvery: 3600, pages: 2 },
  { name: "always ready, a page a minute", refreshEvery: ACCESS_TOKEN_SECONDS - 60, pages: 14 },
];
const CONNECTIONS = [10_000, 1_000_000, 100_000_000];
/** From here on no one Postgres has the cores, so it is a cluster. */
const ON_CITUS = 100_000_000;
const RESPONSES = [1_000_000, 100_000_000, 1_000_000_000];

/** The busiest second against the mean one. */
const PEAK = 3;
/** Of one core, which is all that a replica uses. */
const BUSY = 0.7;
/** Redis's process against what it holds (runbook, 'Memory'). */
const REDIS_OVERHEAD = 1.25;

const number = (value: number): string => Math.round(value).toLocaleString("en-US");
const size = (bytes: number): string => {
  const [unit, of] = bytes >= 1e12 ? ["TB", 1e12] : bytes >= 1e9 ? ["GB", 1e9] : ["MB", 1e6];
  return `${(bytes / (of as number)).toPrecision(3)} ${unit}`;
};

const replicas = (perSecond: number, milliseconds: number): number =>
  Math.max(2, Math.ceil((perSecond * milliseconds) / 1000 / BUSY));

export function needs(count: number, { refreshEvery, pages }: Pick<Use, "refreshEvery" | "pages">) {
  const refreshes = count / refreshEvery;
  const cost = count >= ON_CITUS ? CITUS_CPU_MS : CPU_MS;
  const [peakRefreshes, peakPages] = [refreshes * PEAK, refreshes * pages * PEAK];
  const authorizationServers = replicas(peakRefreshes, cost.refresh.service);
  const resourceServers = replicas(peakPages, cost.page.service);
  return {
    refreshes,
    pages: refreshes * pages,
    addresses: Math.ceil((refreshes * 60) / TOKEN_CALLS_A_MINUTE),
    authorizationServers,
    resourceServers,
    postgresCores: (peakRefreshes * cost.refresh.postgres + peakPages * cost.page.postgres) / 1000,
    redisCores: (peakRefreshes * cost.refresh.redis) / 1000,
    sessions:
      authorizationServers * POSTGRES_CONNECTIONS.authorizationServer +
      resourceServers * POSTGRES_CONNECTIONS.resourceServer +
      NOTIFIERS * POSTGRES_CONNECTIONS.notifier,
  };
}

/** Connections that one address of a partner's keeps ready, as many as its token calls carry. */
export function readyConnections(refreshEvery: number): number {
  return (TOKEN_CALLS_A_MINUTE * refreshEvery) / 60;
}

function useTable({ name, ...use }: Use): string {
  const all = CONNECTIONS.map((count) => needs(count, use));
  const row = (what: string, show: (one: (typeof all)[number]) => string) => [what, ...all.map(show)];
  return markdown(
    [
      `${name}: connections`,
      ...CONNECTIONS.map((count) => (count >= ON_CITUS ? `${number(count)}, on Citus` : number(count))),
    ],
    [
      row("refreshes a second, in the mean", (one) => number(one.refreshes)),
      row("pages a second, in the mean", (one) => number(one.pages)),
      row("partners' addresses, by the token limit", (one) => number(one.addresses)),
      row("authorization servers, at the peak", (one) => number(one.authorizationServers)),
      row("resource servers, at the peak", (one) => number(one.resourceServers)),
      row("notifiers", () => number(NOTIFIERS)),
      row("cores of Postgres, at the peak", (one) => one.postgresCores.toFixed(1)),
      row("cores of the authorization server's Redis, at the peak", (one) => one.redisCores.toFixed(1)),
      row("connections to Postgres", (one) => number(one.sessions)),
    ],
  );
}

export function sizingTables(): string {
  const stored = markdown(
    ["connections", ...CONNECTIONS.map(number)],
    [
      ["in Postgres", ...CONNECTIONS.map((count) => size(count * BYTES.connection))],
      ["their first records in the audit log", ...CONNECTIONS.map((count) => size(count * BYTES.auditOfConnection))],
      [
        "in Redis, its own memory included",
        ...CONNECTIONS.map((count) => size(count * BYTES.connectionInRedis * REDIS_OVERHEAD)),
      ],
    ],
  );
  const responses = markdown(
    ["responses", ...RESPONSES.map(number)],
    [["in Postgres", ...RESPONSES.map((count) => size(count * BYTES.response))]],
  );
  return [stored, responses, ...USES.map(useTable)].join("\n\n");
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map((_, index) => (index === 0 ? "---" : "---:")).join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}
