import { type Check, type Finding, findingOf, type RedisState } from "./system.ts";

type Settings = Readonly<Record<string, string>>;

/** The settings of the authorization server's Redis, which must lose nothing. */
const DURABLE: Settings = {
  appendonly: "yes",
  appendfsync: "always",
  "maxmemory-policy": "noeviction",
};
/** The settings of the resource server's Redis, which is a cache. */
const CACHE: Settings = {
  "maxmemory-policy": "allkeys-lru",
  "stop-writes-on-bgsave-error": "no",
};
/** The setting of a cluster's masters, which must serve their keys while another master is down. */
const OF_CLUSTER: Settings = { "cluster-require-full-coverage": "no" };

const LEAST_VERSION = 7;
/** The share of `maxmemory` from which a Redis counts as full. */
const FULL = 0.8;
const RAISE = "raise it (alerts.md, 'RedisFull')";
const SLOTS = 16_384;

/**
 * Checks that the authorization server's Redis writes to disk before it acknowledges, and evicts
 * nothing.
 */
export const checkRedis: Check = async (system) => redisFinding(await system.redis(), DURABLE);

/** Checks the resource server's Redis, unless it is the authorization server's. */
export const checkResourceServerRedis: Check = async (system) => {
  const own = await system.resourceServerRedis();
  const other = await system.redis().catch(() => null);
  return other && runIdsOf(other) === runIdsOf(own)
    ? findingOf("the same as redis", [])
    : redisFinding(own, CACHE);
};

const runIdsOf = ({ servers }: RedisState) =>
  servers
    .map(({ values }) => values?.get("run_id"))
    .sort()
    .join();

function redisFinding({ servers, isCluster }: RedisState, settings: Settings): Finding {
  const wanted = isCluster ? { ...settings, ...OF_CLUSTER } : settings;
  const present = servers.flatMap(({ name, values }) => (values ? [{ name, values }] : []));
  const judged = present.map(({ name, values }) => ({
    name,
    problems: serverProblems(values, wanted, isCluster),
  }));
  const first = present[0]?.values;
  const unserved = SLOTS - Number(first?.get("cluster_slots_ok") ?? SLOTS);
  const problems = [
    ...(unserved > 0 ? [`${unserved} of ${SLOTS} slots are not served`] : []),
    ...servers.filter(({ values }) => !values).map(({ name }) => `${name} does not answer`),
    ...judged
      .filter(({ problems }) => problems.length > 0)
      .map(
        ({ name, problems }) =>
          `${name && `${name}: `}${problems.map(([found]) => found).join("; ")}`,
      ),
  ];
  const remedies = [
    ...new Set(judged.flatMap(({ problems }) => problems.flatMap(([, remedy]) => remedy ?? []))),
  ];
  const see = `see ${isCluster ? "the runbook, 'A Redis Cluster', and " : ""}alerts.md, 'RedisCanNotRewrite'`;
  const remedy =
    remedies.length > 0 ? [...remedies, "and set the same in its configuration"].join("; ") : see;
  const masters = present.filter(({ values }) => values.get("role") === "master");
  const megabytes = (field: string) =>
    `${Math.round(masters.reduce((sum, { values }) => sum + Number(values.get(field)), 0) / 1024 ** 2)} MB`;
  const found = [
    `${first?.get("redis_version")}${isCluster ? `, ${masters.length} masters` : ""}`,
    ...Object.values(settings),
    `${megabytes("used_memory")} of ${megabytes("maxmemory")} used`,
  ].join(", ");
  const all = problems.map((problem) => [problem, remedy] as const);
  return findingOf(found, all);
}

type ServerProblem = readonly [found: string, remedy?: string];

function serverProblems(
  values: ReadonlyMap<string, string>,
  wanted: Settings,
  isOfCluster: boolean,
): ServerProblem[] {
  const most = Number(values.get("maxmemory"));
  const used = Number(values.get("used_memory")) / most;
  const version = values.get("redis_version") ?? "0";
  const role = values.get("role");
  const states = ["aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"];
  const failing = states.filter((name) => (values.get(name) ?? "ok") !== "ok");
  const rest: readonly (readonly [boolean, ...ServerProblem])[] = [
    [most === 0, "maxmemory is not set", "CONFIG SET maxmemory 512mb (runbook, 'Memory')"],
    [most > 0 && used > FULL, `${Math.round(used * 100)} % of maxmemory is used`, RAISE],
    [
      Number.parseInt(version, 10) < LEAST_VERSION,
      `version ${version} is older than ${LEAST_VERSION}`,
    ],
    [!isOfCluster && role !== "master", `it is a ${role}`],
    [
      !isOfCluster && values.get("cluster_enabled") === "1",
      "it is a server of a Redis Cluster: its URL begins with redis+cluster://",
    ],
    [
      isOfCluster && values.get("cluster_state") !== "ok",
      `cluster_state is ${values.get("cluster_state")}`,
    ],
    [
      isOfCluster && values.get("connected_slaves") === "0" && role === "master",
      "it has no replica",
    ],
    [
      isOfCluster && role !== "master" && values.get("master_link_status") !== "up",
      "it is a replica without a connection to its master",
    ],
  ];
  return [
    ...Object.entries(wanted)
      .filter(([name, value]) => values.get(name) !== value)
      .map(
        ([name, value]) =>
          [`${name} is ${values.get(name)}`, `CONFIG SET ${name} ${value}`] as const,
      ),
    ...rest.flatMap(([is, ...problem]) => (is ? [problem] : [])),
    ...failing.map((name) => [`${name} is ${values.get(name)}`] as const),
  ];
}
