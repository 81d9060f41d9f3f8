import type { StoreMeter } from "../metrics/store-meters.ts";
import { clusterAddress } from "./cluster/cluster-address.ts";
import { connectCluster } from "./cluster/connect-cluster.ts";
import { connectServer } from "./connect-server.ts";
import type { Redis } from "./redis.ts";
import { observer } from "./watch.ts";

interface ConnectRedisOptions {
  /** Milliseconds; default: a second. */
  readonly silence?: number;
  readonly meter?: StoreMeter | undefined;
}

/** A connection to a server, or to each of a cluster, again by itself. Commands fail after `silence` ms without an answer, or at once. */
export function connectRedis(url: string, name: string, { silence = 1000, meter }: ConnectRedisOptions = {}): Redis {
  const options = { name, silence, observe: observer(meter) };
  const cluster = clusterAddress(url);
  return cluster ? connectCluster(cluster, options) : connectServer(url, options);
}
