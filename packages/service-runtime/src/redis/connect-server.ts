import { Redis as Server } from "ioredis";
import { noteFailure } from "./redis.ts";
import { type Watch, watch } from "./watch.ts";

export interface ConnectOptions extends Watch {
  readonly name: string;
}

export const CONNECT_TIMEOUT_MS = 1000;

export const backOff = (attempt: number): number => Math.min(50 * 2 ** attempt, 500);

export function connectServer(url: string, { name, ...options }: ConnectOptions): Server {
  const server = new Server(url, {
    connectionName: name,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: backOff,
    // Redis has become a replica: connect again, which may lead to the new primary, and send the command there.
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
  });
  watch(server, options);
  // Without a listener ioredis prints every failed attempt. Readiness and the commands that fail tell it.
  server.on("error", (error) => noteFailure(server, error));
  return server;
}
