import { Redis as Server } from "ioredis";
import { clusterAddress } from "../environment/variable-forms.ts";
import type { StoreMeter } from "../metrics.ts";
import { connectCluster } from "./connect-cluster.ts";
import {
  backOff,
  batchAndTimeOut,
  CONNECT_TIMEOUT_MS,
  measureCommands,
  noteFailure,
  type Redis,
} from "./connection.ts";

interface ConnectRedisOptions {
  /** Milliseconds without a reply until commands fail. Default: 1000. */
  readonly silence?: number;
  readonly meter?: StoreMeter | undefined;
}

/** Milliseconds between checks whether the server became a replica. */
const ROLE_CHECK_MS = 3000;

/**
 * Connects and reconnects. Commands fail after `silence` ms without a reply, or immediately without
 * a connection.
 */
export function connectRedis(
  url: string,
  name: string,
  { silence = 1000, meter }: ConnectRedisOptions = {},
): Redis {
  const address = clusterAddress(url);
  const redis = address
    ? connectCluster(address, name, silence)
    : connectServer(url, name, silence);
  if (meter) measureCommands(redis, meter);
  return redis;
}

function connectServer(url: string, name: string, silence: number): Server {
  const server = new Server(url, {
    connectionName: name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: backOff,
    // READONLY comes from a replica. Before Redis 7 script errors contain it in the middle.
    reconnectOnError: (error) => error.message.includes("READONLY"),
  });
  batchAndTimeOut(server, silence);
  leaveReplica(server);
  // Without a listener ioredis prints every failed attempt. Readiness and failing commands report
  // the failure.
  server.on("error", (error) => noteFailure(server, error));
  return server;
}

/**
 * Disconnects from a demoted server, which would keep the connection and serve reads. The next
 * connection resolves the address again.
 */
function leaveReplica(server: Server): void {
  const check = async (): Promise<void> => {
    // Without a reply, the connection is lost anyway.
    const info = server.status === "ready" ? await server.info("replication").catch(() => "") : "";
    if (info.includes("role:slave")) server.disconnect(true);
  };
  const timer = setInterval(check, ROLE_CHECK_MS).unref();
  server.on("ready", check).once("end", () => clearInterval(timer));
}
