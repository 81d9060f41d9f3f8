import { type Tracing, tracing } from "@partner-connect/telemetry";
import { type Command, Redis, type RedisOptions } from "ioredis";
import type { StoreMeter } from "../metrics/store-meters.ts";
import { oneWriteATurn } from "./one-write-a-turn.ts";
import { noteFailure } from "./readiness.ts";
import { destroyWhenSilent } from "./silent-connection.ts";

export type { Redis };

export interface ConnectRedisOptions {
  /** Milliseconds; default: a second. */
  readonly silence?: number;
  readonly meter?: StoreMeter | undefined;
}

/**
 * A connection that fails fast. When Redis owes an answer and sends nothing for `silence` milliseconds (default: a second),
 * all commands that wait fail. While it is away, commands fail at once. It connects again by itself.
 */
export function connectRedis(url: string, name: string, { silence = 1000, meter }: ConnectRedisOptions = {}): Redis {
  const redis = new WatchedRedis(url, silence, meter, {
    connectionName: name,
    connectTimeout: 1000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
    // Redis has become a replica: connect again, which may lead to the new primary, and send the command there.
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
  });
  // Without a listener ioredis prints every failed attempt. Readiness and the commands that fail tell it.
  redis.on("error", (error) => noteFailure(redis, error));
  return redis;
}

class WatchedRedis extends Redis {
  /** Of the open connection. */
  #silenceTimer: NodeJS.Timeout | undefined;
  readonly #meter: StoreMeter | undefined;

  constructor(
    url: string,
    silence: number,
    meter: StoreMeter | undefined,
    options: Omit<RedisOptions, "replyMapping">,
  ) {
    super(url, options);
    this.#meter = meter;
    this.on("connect", () => {
      this.#silenceTimer = destroyWhenSilent(this.stream, silence, () => this.commandQueue.length > 0);
    });
  }

  override sendCommand(...command: Parameters<Redis["sendCommand"]>): unknown {
    if (this.stream?.writable) oneWriteATurn(this.stream);
    if (this.commandQueue.length === 0) this.#silenceTimer?.refresh();
    if (this.#meter) measure(command[0], this.#meter);
    const traces = tracing();
    if (traces) traceCommand(traces, command[0]);
    return super.sendCommand(...command);
  }
}

function measure({ promise }: Command, meter: StoreMeter): void {
  const begun = performance.now();
  const end = (): void => meter.ended(performance.now() - begun);
  meter.begun();
  promise.then(end, end);
}

/** By its name alone: keys and values may hold tokens. */
function traceCommand(traces: Tracing, command: Command): void {
  const name = command.name.toUpperCase();
  const span = traces.call(name, { "db.system.name": "redis", "db.operation.name": name });
  if (span)
    command.promise.then(
      () => span.end(),
      (error: unknown) => span.end(error),
    );
}
