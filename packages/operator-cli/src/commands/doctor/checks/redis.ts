import type { Check } from "../check.ts";
import { type Finding, fine, unless } from "../finding.ts";
import type { RedisState } from "../redis-state.ts";

const LEAST_VERSION = 7;
/** Of `maxmemory`. Above it somebody should have noticed. */
const FULL = 0.8;

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
    if (first?.info.get("run_id") === own.info.get("run_id")) return fine("the same as redis");
    return judge(own, FORGETFUL);
  },
};

type Settings = Readonly<Record<string, string>>;

const WRITTEN_DOWN: Settings = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
const FORGETFUL: Settings = { "maxmemory-policy": "allkeys-lru", "stop-writes-on-bgsave-error": "no" };

function judge({ info, settings }: RedisState, wanted: Settings): Finding {
  const differing = Object.entries(wanted).filter(([name, value]) => settings.get(name) !== value);
  const most = Number(settings.get("maxmemory"));
  const used = Number(info.get("used_memory"));
  const version = info.get("redis_version") ?? "0";
  const failing = ["aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"].filter(
    (name) => (info.get(name) ?? "ok") !== "ok",
  );
  const problems = [
    ...differing.map(([name]) => `${name} is ${settings.get(name)}`),
    ...(most === 0
      ? ["maxmemory is not set"]
      : used > FULL * most
        ? [`${percent(used / most)} of maxmemory are used`]
        : []),
    ...(Number.parseInt(version, 10) < LEAST_VERSION ? [`version ${version} is older than ${LEAST_VERSION}`] : []),
    ...(info.get("role") === "master" ? [] : [`it is a ${info.get("role")}`]),
    ...failing.map((name) => `${name} is ${info.get(name)}`),
  ];
  const remedy = [
    ...differing.map(([name, value]) => `CONFIG SET ${name} ${value}`),
    ...(most === 0 ? ["CONFIG SET maxmemory 512mb (runbook, 'Memory')"] : []),
    "and so in its configuration",
  ];
  const found = `${version}, ${Object.values(wanted).join(", ")}, ${megabytes(used)} of ${megabytes(most)} used`;
  return unless(problems, found, differing.length > 0 || most === 0 ? remedy.join("; ") : "see the runbook, 'Memory'");
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
