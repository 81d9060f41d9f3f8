import { readStackSettings } from "../config.ts";

/** What one of the two Redis is for: it decides how Redis keeps the data, and what it does when it is full. */
export interface RedisRole {
  /** Also the name of its folder in DATA_DIR. */
  readonly name: "redis" | "resource-server-redis";
  readonly settings: readonly string[];
}

/** Codes, tokens and sign-ins: a write is on disk before it is acknowledged. When it is full it refuses writes. */
export const MAIN_REDIS: RedisRole = {
  name: "redis",
  settings: ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"],
};

/**
 * The resource server's counters and cursor positions. No call of the API waits for the disk (an append-only file would make
 * it wait even with `appendfsync no`) or fails because the disk is full. A crash loses the last ten seconds. When it is
 * full it evicts what was not used for longest.
 */
export const RESOURCE_SERVER_REDIS: RedisRole = {
  name: "resource-server-redis",
  settings: [
    ...["--save", "10 1", "--rdbcompression", "no", "--stop-writes-on-bgsave-error", "no"],
    ...["--appendonly", "no", "--maxmemory-policy", "allkeys-lru"],
  ],
};

export function redisRole(role: RedisRole, env: Readonly<Record<string, string>>) {
  return { role, maxmemory: readStackSettings(env).maxmemory[role.name] };
}
