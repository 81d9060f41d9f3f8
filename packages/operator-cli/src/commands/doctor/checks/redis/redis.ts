import type { Check } from "../../check.ts";
import { type Finding, fine, unless } from "../../finding.ts";
import type { RedisState } from "../../redis-state.ts";
import { clusterProblems } from "./redis-cluster.ts";
import { megabytes, serverProblems } from "./redis-server.ts";

/** The authorization server's. An acknowledged write is on disk, and nothing is thrown away for room. */
export const redis: Check = {
  name: "redis",
  look: async (system) => judge(await system.redis("redis"), WRITTEN_DOWN),
};

/** The resource server's. It may be the same one: then the first one's settings are right for both. */
export const resourceServerRedis: Check = {
  name: "resource-server-redis",
  async look(system) {
    const own = await system.redis("resource-server-redis");
    const first = await system.redis("redis").catch(() => null);
    if (first && runsOf(first) === runsOf(own)) return fine("the same as redis");
    return judge(own, FORGETFUL);
  },
};

type Settings = Readonly<Record<string, string>>;

const WRITTEN_DOWN: Settings = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
const FORGETFUL: Settings = { "maxmemory-policy": "allkeys-lru", "stop-writes-on-bgsave-error": "no" };
/** One master away would be no reason to refuse the keys of the others. */
const OF_CLUSTER: Settings = { "cluster-require-full-coverage": "no" };

function judge({ servers, cluster }: RedisState, settings: Settings): Finding {
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
  return unless(problems, found.join(", "), remedy);
}

const named = (name: string, problem: string): string => (name ? `${name}: ${problem}` : problem);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function runsOf({ servers }: RedisState): string {
  return servers
    .map(({ info }) => info.get("run_id"))
    .sort()
    .join(" ");
}
