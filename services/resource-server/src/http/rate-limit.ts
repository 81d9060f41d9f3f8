import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { rateLimited } from "../errors/api-error.ts";
import type { OptionalRedis } from "../stores/optional-redis.ts";
import { type Count, RequestCounters } from "./request-counters.ts";

const WINDOW_MS = 60_000;

export interface RateLimitOptions {
  readonly redis: OptionalRedis;
  readonly max: number;
}

/**
 * 429 for a caller that has used up its requests of this minute (spec, Limits): one counter for each connection and API key, over all
 * paths, replicas and addresses. The plugin sets `x-ratelimit-*` and `retry-after`. Requests without a caller are not counted.
 */
export async function limitRate(app: FastifyInstance, { redis, max }: RateLimitOptions): Promise<void> {
  const counters = new RequestCounters(redis, { window: WINDOW_MS, max });
  await app.register(rateLimit, {
    max,
    timeWindow: WINDOW_MS,
    store: storeOf(counters),
    keyGenerator: (request) => request.caller?.id ?? "",
    allowList: (_request, key) => key === "",
    errorResponseBuilder: () => rateLimited("api"),
  });
}

/** The plugin takes its store as a class, and makes the instance itself. */
function storeOf(counters: RequestCounters) {
  return class Store {
    incr(key: string, callback: (error: Error | null, count?: Count) => void): void {
      counters.count(key).then((count) => callback(null, count), callback);
    }

    child(): this {
      return this;
    }
  };
}
