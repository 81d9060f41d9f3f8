import { Redis as Server } from "ioredis";
import { noteFailure } from "./redis.ts";
import { type Watch, watch } from "./watch.ts";

export interface ConnectOptions extends Watch {
  readonly name: string;
}

export const CONNECT_TIMEOUT_MS = 1000;

/** How often a connection asks whether its server was made a replica. */
const ROLE_CHECK_MS = 3000;

export const backOff = (attempt: number): number => Math.min(50 * 2 ** attempt, 500);

export function connectServer(url: string, { name, ...options }: ConnectOptions): Server {
  const server = new Server(url, {
    connectionName: name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: backOff,
    // A replica. Before Redis 7 the error of a script has the word in its middle.
    reconnectOnError: (error) => error.message.includes("READONLY"),
  });
  watch(server, options);
  leaveReplica(server);
  // Without a listener ioredis prints every failed attempt. Readiness and the commands that fail tell it.
  server.on("error", (error) => noteFailure(server, error));
  return server;
}

/** A server that was demoted keeps its connections, and goes on answering reads. A new connection asks for the address again. */
function leaveReplica(server: Server): void {
  const check = async (): Promise<void> => {
    // Where no answer comes, the connection is lost for that reason.
    const info = server.status === "ready" ? await server.info("replication").catch(() => "") : "";
    if (info.includes("role:slave")) server.disconnect(true);
  };
  const timer = setInterval(check, ROLE_CHECK_MS).unref();
  server.on("ready", check).once("end", () => clearInterval(timer));
}
