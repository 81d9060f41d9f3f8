import { Cluster, type Redis as Server } from "ioredis";
import type { ClusterAddress } from "../environment/variable-forms.ts";
import { backOff, batchAndTimeOut, CONNECT_TIMEOUT_MS, noteFailure } from "./connection.ts";

/** Maximum redirections of a command while its slot is migrating. */
const MOST_HOPS = 5;
/** Milliseconds until a retry after TRYAGAIN: a migrating slot's keys may be on two nodes. */
const TRY_AGAIN_MS = 50;
/**
 * Interval in ms at which the slot map is refreshed. It is also refreshed when a node is lost or
 * redirects.
 */
const MAP_LIFE_MS = 30_000;
/** ioredis's message for a closed connection, whatever the cause. */
const CLOSED = "Connection is closed.";

/**
 * Connects to a cluster's masters. Each fails independently and immediately. Commands are never
 * resent, because they may have run.
 */
export function connectCluster(address: ClusterAddress, name: string, silence: number): Cluster {
  const [{ protocol, username, password }] = address;
  const hosts = address.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port),
  }));
  const cluster: Cluster = new Cluster(hosts, {
    redisOptions: {
      connectionName: name,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(protocol === "rediss:" && { tls: {} }),
    },
    // Keep host names, which certificates contain, and resolve them at each attempt.
    dnsLookup: (host, done) => done(null, host),
    // The check requires all slots; without `cluster-require-full-coverage` nodes serve theirs.
    enableReadyCheck: false,
    clusterRetryStrategy: backOff,
    // If all nodes are lost, their addresses may have changed: restart from the URL.
    clusterNodeRetryStrategy: (attempt) =>
      cluster.nodes().some(isReady) ? backOff(attempt) : null,
    maxRedirections: MOST_HOPS,
    retryDelayOnTryAgain: TRY_AGAIN_MS,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: silence,
    slotsRefreshInterval: MAP_LIFE_MS,
  });
  failFast(cluster);
  cluster.on("+node", (server: Server) => prepareNode(cluster, server, silence));
  cluster.on("error", (error: Error & { lastNodeError?: Error }) => {
    const cause = error.lastNodeError ?? error;
    if (cause.message !== CLOSED) noteFailure(cluster, cause);
  });
  return cluster;
}

/** Lets a command wait only for the first connection to a node, as after a slot migration. */
function failFast(cluster: Cluster): void {
  Object.defineProperty(cluster.options, "enableOfflineQueue", {
    get: () => cluster.status === "ready",
  });
  cluster.on("close", () => cluster["flushQueue"](new Error(CLOSED)));
}

function prepareNode(cluster: Cluster, server: Server, silence: number): void {
  batchAndTimeOut(server, silence);
  server.on("error", (error) => noteFailure(server, error));
  // ioredis reads the slot map on a separate connection, and hides its errors.
  const { duplicate } = server;
  server.duplicate = (options) =>
    duplicate.call(server, options).on("error", (error) => noteFailure(cluster, error));
  // ioredis sends ASKING before a redirected command, and ignores its result.
  const { asking } = server;
  server.asking = () => asking.call(server).catch(() => "OK" as const);
  server.on("close", () => {
    server.options.enableOfflineQueue = false;
    // A replica may be promoted soon.
    if (cluster.status === "ready") cluster.refreshSlotsCache(() => {});
  });
}

const isReady = ({ status }: Server): boolean => status === "ready";
