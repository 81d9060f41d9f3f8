import { clusterAddress } from "@partner-connect/service-runtime/environment";
import { type ClusterState, readCluster } from "./redis-cluster-state.ts";
import { type RedisServerState, readServer } from "./redis-server-state.ts";

/** What a Redis, or a Valkey, says of itself: one server, or each of a cluster. */
export interface RedisState {
  readonly servers: readonly RedisServerState[];
  /** Null: it is one server. */
  readonly cluster: ClusterState | null;
}

export async function readRedis(url: string): Promise<RedisState> {
  const address = clusterAddress(url);
  if (!address) return { servers: [await readServer(url, "")], cluster: null };
  const cluster = await readCluster(address);
  const servers = cluster.members.filter(({ isAway }) => !isAway);
  return { servers: await Promise.all(servers.map((member) => readServer(member.url, member.name))), cluster };
}
