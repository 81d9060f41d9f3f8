import { expect, test } from "vitest";
import { MAIN_REDIS, RESOURCE_SERVER_REDIS, redisContainer, redisRole } from "./start-redis.ts";

const MEGABYTE = 1024 ** 2;
const rest = { dataDir: "/data", port: 6379, log: "/data/redis.log", password: "secret", durable: true };

test.each([
  [MAIN_REDIS, {}, 256, "noeviction"],
  [MAIN_REDIS, { REDIS_MAXMEMORY: "1gb" }, 1024, "noeviction"],
  [RESOURCE_SERVER_REDIS, { REDIS_MAXMEMORY: "1gb" }, 128, "allkeys-lru"],
  [RESOURCE_SERVER_REDIS, { RESOURCE_SERVER_REDIS_MAXMEMORY: "64mb" }, 64, "allkeys-lru"],
])(
  "$name in a container is full before the container is, by twice its data and more (%#)",
  (role, env, megabytes, policy) => {
    const { command, memoryBytes = 0 } = redisContainer({ ...rest, ...redisRole(role, env) }, null);
    const setting = (name: string) => command[command.indexOf(`--${name}`) + 1];
    expect([setting("maxmemory"), setting("maxmemory-policy")]).toEqual([String(megabytes * MEGABYTE), policy]);
    expect(memoryBytes - 2 * megabytes * MEGABYTE).toBe(128 * MEGABYTE);
  },
);
