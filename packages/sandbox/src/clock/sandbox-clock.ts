import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Sql } from "@partner-connect/database";
import type { Stores } from "@partner-connect/local-stack";
import { Redis } from "ioredis";
import { FollowerProcesses } from "./follower-processes.ts";
import {
  connectClockDatabase,
  moveDatabaseClock,
  moveRedisClock,
  openDatabaseClock,
  openRedisClock,
  refuseCluster,
} from "./stores-clock.ts";

const SERVICE_CLOCK = fileURLToPath(new URL("service-clock.ts", import.meta.url));

/** By what the clock may be ahead of the machine's: all that we store and sign can hold such a time. */
const LONGEST_MS = 100 * 365 * 86_400_000;

class ClockError extends Error {
  readonly code = "CLOCK";
}

/** The one time of a sandbox: the machine's and an offset, which the database keeps for the next start. It never goes back. */
export class SandboxClock {
  readonly nodeFlags = ["--import", SERVICE_CLOCK];
  readonly #followers = new FollowerProcesses();
  #stores: { readonly sql: Sql; readonly redis: readonly Redis[] } | undefined;
  #movedBy = 0;
  #moving: Promise<unknown> = Promise.resolve();

  /** Before the tables are made: what a migration defines keeps the clock that it was defined with. */
  async open(stores: Stores): Promise<void> {
    // Both servers may use one Redis.
    const variables = new Map([
      [stores.resourceServerRedisUrl, "RESOURCE_SERVER_REDIS_URL"],
      [stores.redisUrl, "REDIS_URL"],
    ]);
    for (const [url, variable] of variables) refuseCluster(url, variable);
    const sql = connectClockDatabase(stores.databaseUrl);
    const redis = [...variables].map(([url, variable]) => ({ variable, redis: connect(url) }));
    this.#stores = { sql, redis: redis.map((each) => each.redis) };
    this.#movedBy = await openDatabaseClock(sql);
    for (const each of redis) await openRedisClock(each.redis, each.variable, this.#movedBy);
  }

  follow(name: string, child: ChildProcess): void {
    this.#followers.add(name, child, this.#movedBy);
  }

  now(): Date {
    return new Date(Date.now() + this.#movedBy);
  }

  /** Moves everything forward, one call after another. The database comes first; what fails is brought there by the next one. */
  advance(milliseconds: number): Promise<Date> {
    const done = this.#moving.then(() => this.#advance(milliseconds));
    this.#moving = done.catch(() => {});
    return done;
  }

  async #advance(milliseconds: number): Promise<Date> {
    const { sql, redis } = this.#opened();
    const [before, movedBy] = [this.#movedBy, this.#movedBy + milliseconds];
    if (movedBy > LONGEST_MS)
      throw new ClockError("the clock would be more than 100 years ahead: begin with a new DATA_DIR");
    await moveDatabaseClock(sql, movedBy);
    this.#movedBy = movedBy;
    // The services that issue come last: those that judge would take a token of a later time for one of the future.
    const moved = await Promise.allSettled([
      this.#followers.move(/^resource-server-/, movedBy),
      ...redis.map((each) => moveRedisClock(each, movedBy, before)),
    ]);
    await this.#followers.move(/./, movedBy);
    if (moved.some(({ status }) => status === "rejected")) {
      throw new ClockError("Redis did not answer, so what lives there is late until the next advance");
    }
    return this.now();
  }

  #opened() {
    if (!this.#stores) throw new ClockError("the sandbox is starting: try again in a moment");
    return this.#stores;
  }

  async close(): Promise<void> {
    await this.#moving;
    for (const each of this.#stores?.redis ?? []) each.disconnect();
    await this.#stores?.sql.end({ timeout: 2 });
  }
}

function connect(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: 2 }).on("error", () => {});
}
