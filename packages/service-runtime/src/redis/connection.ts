import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { Command, RedisCommander, Redis as Server } from "ioredis";
import type { StoreMeter } from "../metrics.ts";

/** The common interface of ioredis's clients for a server and a cluster. */
export interface Redis extends Commands, EventEmitter {
  /** `ready` while commands can be sent. */
  readonly status: string;
  disconnect(): void;
  /** Only of a cluster. */
  nodes?(role: "master"): Redis[];
}

/**
 * Transactions are left out, because those of ioredis cost four commands and lose connections. A
 * script on one slot is atomic.
 */
type Commands = Omit<RedisCommander, "multi" | "exec" | "watch" | "unwatch" | "discard" | "select">;

export const CONNECT_TIMEOUT_MS = 1000;

export const backOff = (attempt: number): number => Math.min(50 * 2 ** attempt, 500);

const failures = new WeakMap<object, Error>();

export function noteFailure(connection: object, error: Error): void {
  failures.set(connection, error);
}

export function lastFailure(connection: object): Error | undefined {
  return failures.get(connection);
}

interface Sending {
  sendCommand(command: Command, ...rest: never[]): unknown;
}

/** Measures each command sent by `redis`. A redirected command counts once. */
export function measureCommands(redis: Sending, meter: StoreMeter): void {
  const send = redis.sendCommand;
  redis.sendCommand = (command, ...rest) => {
    meter(command.promise);
    return send.call(redis, command, ...rest);
  };
}

/**
 * Batches a client's writes, and destroys a connection without a reply for `silence` ms. Call it
 * before the connection opens.
 */
export function batchAndTimeOut(server: Server, silence: number): void {
  let silenceTimer: NodeJS.Timeout | undefined;
  server.on("connect", () => {
    silenceTimer = destroyWhenSilent(server.stream, silence, () => server.commandQueue.length > 0);
  });
  const send = server.sendCommand;
  server.sendCommand = (command, stream) => {
    const isAtRest = server.commandQueue.length === 0;
    // The write is at the end of this event-loop turn, maybe after `silence`, so restart then too.
    if (server.stream?.writable)
      batchWrites(server.stream, () => isAtRest && silenceTimer?.refresh());
    if (isAtRest) silenceTimer?.refresh();
    return send.call(server, command, stream);
  };
}

/**
 * Batches the writes of one event-loop turn; call it before each. ioredis's `enableAutoPipelining`
 * takes a tenth more CPU for a refresh and 30 MB, and delays later turns.
 */
function batchWrites(stream: Writable, written: () => void): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
    written();
  });
}

/**
 * Destroys a connection whose pending command gets no reply; refresh the timer when a command is
 * sent at rest. ioredis's `socketTimeout` and `commandTimeout` would mistake a busy process for a
 * silent server, because timers run before sockets are read.
 */
function destroyWhenSilent(stream: Socket, silence: number, isPending: () => boolean) {
  let received = 0;
  const timer = setTimeout(() => {
    // At rest no reply is pending. A new command restarts the timer.
    if (!isPending()) return;
    const before = received;
    // A reply that has arrived may not be read yet.
    setImmediate(() => {
      if (received === before) stream.destroy(new Error(`no reply from Redis for ${silence} ms`));
    });
  }, silence);
  stream.on("data", () => {
    received++;
    timer.refresh();
  });
  stream.once("close", () => clearTimeout(timer));
  return timer;
}
