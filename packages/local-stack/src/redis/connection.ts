import { Redis } from "ioredis";
import { readStackSettings } from "../config.ts";

/** One of the system's two, by what it must not lose. */
export interface RedisRole {
  /** Also of its folder in DATA_DIR. */
  readonly name: "redis" | "resource-server-redis";
  readonly settings: readonly string[];
}

/** Codes, tokens and sign-ins: an acknowledged write is on disk, and nothing is thrown away for room: full, it refuses. */
export const MAIN_REDIS: RedisRole = {
  name: "redis",
  settings: ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"],
};

/**
 * The resource server's counters and cursor positions: no call of the API waits for the disk, which it would even for an
 * append-only file that is written without waiting, nor stops at a disk that is full. A crash loses those of the last
 * ten seconds, and what was not used for longest makes room.
 */
export const RESOURCE_SERVER_REDIS: RedisRole = {
  name: "resource-server-redis",
  settings: [
    ...["--save", "10 1", "--rdbcompression", "no", "--stop-writes-on-bgsave-error", "no"],
    ...["--appendonly", "no", "--maxmemory-policy", "allkeys-lru"],
  ],
};

/** The role with the limit that `env` gives it. */
export function redisRole(role: RedisRole, env: Readonly<Record<string, string>>) {
  return { role, maxmemory: readStackSettings(env).maxmemory[role.name] };
}

/** False while it still loads its file. */
export async function redisAnswers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // Only the event says why there is no connection.
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
