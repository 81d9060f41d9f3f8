import { AsyncLocalStorage } from "node:async_hooks";
import { Cluster, type Redis as Server } from "ioredis";
import type { ClusterAddress } from "./cluster-address.ts";
import { backOff, CONNECT_TIMEOUT_MS, noteFailure, watch } from "./connection.ts";

/** Hops from one server to another, for a command whose slot is being moved. */
const MOST_HOPS = 5;
/** While a slot moves, some keys of a script may be here and some there. */
const TRY_AGAIN_MS = 50;
/** The map of slots is read anew when a server is lost or has a slot no more. This finds what neither tells. */
const MAP_LIFE_MS = 30_000;
/** A connection outlives the request that opened it, so its first commands are no part of that request's trace. */
const forNobody = AsyncLocalStorage.snapshot();
/** What ioredis says of a connection that ended, whatever ended it. */
const CLOSED = "Connection is closed.";

/** Connections to a cluster's masters. Each fails for itself and at once. No command is sent again, as it may have been done. */
export function connectCluster(address: ClusterAddress, name: string, silence: number): Cluster {
  const { hosts, username, password, isEncrypted } = address;
  const cluster: Cluster = new Cluster([...hosts], {
    redisOptions: {
      connectionName: name,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(isEncrypted && { tls: {} }),
    },
    // By their names, which certificates have; and each attempt asks the DNS anew.
    dnsLookup: (host, done) => done(null, host),
    // That check asks whether the server finds the cluster whole. A server answers for its own slots also where it is not.
    enableReadyCheck: false,
    clusterRetryStrategy: backOff,
    // When all are lost, their addresses may have changed too: the pool ends, and begins again with those of the URL.
    clusterNodeRetryStrategy: (attempt) => (cluster.nodes().some(isReady) ? backOff(attempt) : null),
    maxRedirections: MOST_HOPS,
    retryDelayOnTryAgain: TRY_AGAIN_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: silence,
    slotsRefreshInterval: MAP_LIFE_MS,
  });
  failFast(cluster);
  cluster.on("+node", (server: Server) => join(cluster, server, silence));
  cluster.on("error", (error: Error & { lastNodeError?: Error }) => {
    const cause = error.lastNodeError ?? error;
    if (cause.message !== CLOSED) noteFailure(cluster, cause);
  });
  return cluster;
}

/** A command may wait for a server's first connection, as after its slot has moved there, and for nothing else. */
function failFast(cluster: Cluster): void {
  Object.defineProperty(cluster.options, "enableOfflineQueue", { get: () => cluster.status === "ready" });
  cluster.on("close", () => cluster["flushQueue"](new Error(CLOSED)));
}

function join(cluster: Cluster, server: Server, silence: number): void {
  watch(server, silence);
  server.on("error", (error) => noteFailure(server, error));
  const { connect } = server;
  server.connect = (callback) => forNobody(() => connect.call(server, callback));
  // ioredis reads the map on a connection of its own, and keeps to itself why that fails.
  const { duplicate } = server;
  server.duplicate = (options) => duplicate.call(server, options).on("error", (error) => noteFailure(cluster, error));
  // ioredis sends it before a command that was told to ask there, and doesn't look at what becomes of it.
  const { asking } = server;
  server.asking = () => asking.call(server).catch(() => "OK" as const);
  server.on("close", () => {
    server.options.enableOfflineQueue = false;
    // A replica may have its slots soon.
    if (cluster.status === "ready") cluster.refreshSlotsCache(() => {});
  });
}

const isReady = ({ status }: Server): boolean => status === "ready";
