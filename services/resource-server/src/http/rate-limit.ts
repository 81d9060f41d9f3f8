import rateLimit from "@fastify/rate-limit";
import { rateLimited, rateLimitStore, WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { OptionalRedis } from "../optional-redis.ts";

const WINDOW_SECONDS = 60;

/**
 * Refuses a caller's requests over the limit per minute with 429 (guides/rate-limits.md). There is
 * one counter per connection or API key, over all paths, replicas and addresses. While Redis is
 * down each replica counts locally. The plugin sets `x-ratelimit-*` and `retry-after`. Requests
 * without a caller are not counted.
 */
export async function limitRate(app: FastifyInstance, optionalRedis: OptionalRedis, max: number) {
  const { client: redis } = optionalRedis;
  const shared = new WindowCounts(WINDOW_SECONDS, { redis, prefix: "rate-limit" });
  const own = new WindowCounts(WINDOW_SECONDS);
  await app.register(rateLimit, {
    max,
    store: rateLimitStore(
      async (caller) =>
        (await optionalRedis.attempt(`rate-limit:${caller}`, () => shared.add(caller))) ??
        (await own.add(caller)),
    ),
    keyGenerator: (request) => request.caller?.id ?? "",
    allowList: (_request, key) => key === "",
    errorResponseBuilder: () => rateLimited("api"),
  });
}
