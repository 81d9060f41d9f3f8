import type { EventEmitter } from "node:events";
import type { RedisCommander } from "ioredis";

/** What ioredis offers on a connection to one server and on those to a cluster alike. */
export interface Redis extends Commands, EventEmitter {
  /** `ready` while commands are sent. */
  readonly status: string;
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  disconnect(): void;
}

/** Each command by itself. What is one step is a script, of one slot: ioredis's transactions cost four commands, and lose connections. */
type Commands = Omit<RedisCommander, "multi" | "exec" | "watch" | "unwatch" | "discard" | "select">;

const failures = new WeakMap<object, Error>();

export function noteFailure(connection: object, error: Error): void {
  failures.set(connection, error);
}

export function lastFailure(connection: object): Error | undefined {
  return failures.get(connection);
}
