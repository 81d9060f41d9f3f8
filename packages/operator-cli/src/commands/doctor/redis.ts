import type { ClusterState, RedisServerState, RedisState } from "./redis-state.ts";
import { type Finding, judge, type System } from "./system.ts";

/** The authorization server's. An acknowledged write is on disk, and nothing is evicted. */
export async function redis(system: System): Promise<Finding> {
  return judgeServers(await system.redis("redis"), WRITTEN_DOWN);
}

/** The resource server's. It may be the same one: then the first one's settings are right for both. */
export async function resourceServerRedis(system: System): Promise<Finding> {
  const own = await system.redis("resource-server-redis");
  const first = await system.redis("redis").catch(() => null);
  if (first && runsOf(first) === runsOf(own)) return judge("the same as redis", []);
  return judgeServers(own, FORGETFUL);
}

type Settings = Readonly<Record<string, string>>;

const WRITTEN_DOWN: Settings = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
const FORGETFUL: Settings = { "maxmemory-policy": "allkeys-lru", "stop-writes-on-bgsave-error": "no" };
/** One master away would be no reason to refuse the keys of the others. */
const OF_CLUSTER: Settings = { "cluster-require-full-coverage": "no" };

function judgeServers({ servers, cluster }: RedisState, settings: Settings): Finding {
  const wanted = cluster ? { ...settings, ...OF_CLUSTER } : settings;
  const judged = servers.map((server) => ({ server, ...serverProblems(server, wanted, cluster !== null) }));
  const problems = [
    ...(cluster ? clusterProblems(cluster) : []),
    ...judged.flatMap(({ server, problems }) =>
      problems.length === 0 ? [] : [named(server.name, problems.join("; "))],
    ),
  ];
  const remedies = [...new Set(judged.flatMap(({ remedies }) => remedies))];
  const [first] = servers;
  const masters = servers.filter(({ info }) => info.get("role") === "master");
  const used = sum(masters.map(({ info }) => Number(info.get("used_memory"))));
  const most = sum(masters.map(({ settings }) => Number(settings.get("maxmemory"))));
  const found = [
    `${first?.info.get("redis_version")}${cluster ? `, ${masters.length} masters` : ""}`,
    ...Object.values(settings),
    `${megabytes(used)} of ${megabytes(most)} used`,
  ];
  const see = cluster ? "see the runbook, 'A Redis Cluster'" : "see the runbook, 'Memory'";
  const remedy = remedies.length > 0 ? [...remedies, "and so in its configuration"].join("; ") : see;
  return judge(
    found.join(", "),
    problems.map((problem) => [problem, remedy]),
  );
}

const named = (name: string, problem: string): string => (name ? `${name}: ${problem}` : problem);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function runsOf({ servers }: RedisState): string {
  return servers
    .map(({ info }) => info.get("run_id"))
    .sort()
    .join(" ");
}

const LEAST_VERSION = 7;
/** Of `maxmemory`. Above it somebody should have noticed. */
const FULL = 0.8;

function serverProblems(
  { info, settings }: RedisServerState,
  wanted: Readonly<Record<string, string>>,
  isOfCluster: boolean,
): { readonly problems: readonly string[]; readonly remedies: readonly string[] } {
  const differing = Object.entries(wanted).filter(([name, value]) => settings.get(name) !== value);
  const most = Number(settings.get("maxmemory"));
  const used = Number(info.get("used_memory"));
  const version = info.get("redis_version") ?? "0";
  const failing = ["aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"].filter(
    (name) => (info.get(name) ?? "ok") !== "ok",
  );
  return {
    problems: [
      ...differing.map(([name]) => `${name} is ${settings.get(name)}`),
      ...(most === 0
        ? ["maxmemory is not set"]
        : used > FULL * most
          ? [`${percent(used / most)} of maxmemory are used`]
          : []),
      ...(Number.parseInt(version, 10) < LEAST_VERSION ? [`version ${version} is older than ${LEAST_VERSION}`] : []),
      ...roleProblems(info, isOfCluster),
      ...failing.map((name) => `${name} is ${info.get(name)}`),
    ],
    remedies: [
      ...differing.map(([name, value]) => `CONFIG SET ${name} ${value}`),
      ...(most === 0 ? ["CONFIG SET maxmemory 512mb (runbook, 'Memory')"] : []),
    ],
  };
}

function roleProblems(info: ReadonlyMap<string, string>, isOfCluster: boolean): string[] {
  const role = info.get("role");
  if (isOfCluster) {
    const isBehind = role !== "master" && info.get("master_link_status") !== "up";
    return isBehind ? ["it is a replica without a connection to its master"] : [];
  }
  return [
    ...(role === "master" ? [] : [`it is a ${role}`]),
    ...(info.get("cluster_enabled") === "1"
      ? ["it is a server of a Redis Cluster: its URL begins with redis+cluster://"]
      : []),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;

const SLOTS = 16_384;

function clusterProblems({ state, slots, members }: ClusterState): string[] {
  const away = members.filter(({ isAway }) => isAway);
  const alone = members.filter(
    ({ id, hasSlots }) => hasSlots && !members.some(({ follows, isAway }) => follows === id && !isAway),
  );
  return [
    ...(state === "ok" ? [] : [`cluster_state is ${state}`]),
    ...(slots === SLOTS ? [] : [`${SLOTS - slots} of ${SLOTS} slots are served by nobody`]),
    ...away.map(({ name }) => `${name} is away`),
    ...alone.filter(({ isAway }) => !isAway).map(({ name }) => `${name} has no replica`),
  ];
}
