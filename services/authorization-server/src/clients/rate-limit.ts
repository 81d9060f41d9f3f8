import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import { type Redis, rateLimitStore, WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tooManyRequests } from "../errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly limit?: LimitName;
  }
}

/** `token`: exchanges, refreshes and their batches. `partner_api`: other calls with HTTP Basic. */
export type LimitName = "authorize" | "decision" | "openid" | "token" | "partner_api";

const WINDOW_SECONDS = 60;

/**
 * Lets routes limit their requests (guides/rate-limits.md). All replicas share the count of an
 * address (an IPv6 /64 counts as one). The plugin sets `x-ratelimit-*`, and `retry-after` with a
 * 429. While Redis is down these routes respond with 503, because no limit would be worse.
 */
export async function limitRates(app: FastifyInstance, redis: Redis): Promise<void> {
  const counts = new WindowCounts(WINDOW_SECONDS, { redis, prefix: "rate-limit" });
  await app.register(rateLimit, {
    global: false,
    store: rateLimitStore((key) => counts.add(key)),
    errorResponseBuilder: (request) => tooManyRequests(request.routeOptions.config.limit),
  });
}

/**
 * The part of a route's `config` that limits its requests. Routes with the same limit share its
 * count. Requests for which `isFree` is true don't count.
 */
export function limitConfig(
  limit: LimitName,
  max: number,
  isFree?: (request: FastifyRequest) => Promise<boolean>,
) {
  const keyGenerator = (request: FastifyRequest) => `${limit}-${normalizeIP(request.ip)}`;
  return { limit, rateLimit: { max, keyGenerator, ...(isFree && { allowList: isFree }) } };
}
