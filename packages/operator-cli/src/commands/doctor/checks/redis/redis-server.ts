import type { RedisServerState } from "../../redis-server-state.ts";

const LEAST_VERSION = 7;
/** Of `maxmemory`. Above it somebody should have noticed. */
const FULL = 0.8;

/** What is wrong with one server, and the commands that make it right. */
export function serverProblems(
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
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
