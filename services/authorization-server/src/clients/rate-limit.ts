import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import { type Redis, rateLimitStore, WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tooManyRequests } from "../errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly limit?: LimitName;
  }
}

/**
 * `token`: exchanges, refreshes and batches of them. `partner_api`: other calls with HTTP Basic.
 */
export type LimitName = "authorize" | "decision" | "openid" | "token" | "partner_api";

const WINDOW_SECONDS = 60;

/**
 * Lets routes count requests (spec, Limits): per client address (an IPv6 /64 is one), over all
 * replicas. The plugin sets `x-ratelimit-*`, and `retry-after` with a 429. While Redis is down it
 * is 503: no limit would be worse.
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
 * A route's limit, for its `config`. Routes with the same limit share its count. `isFree`: requests
 * that don't count.
 */
export function limited(
  limit: LimitName,
  max: number,
  isFree?: (request: FastifyRequest) => Promise<boolean>,
) {
  const keyGenerator = (request: FastifyRequest) => `${limit}-${normalizeIP(request.ip)}`;
  return { limit, rateLimit: { max, keyGenerator, ...(isFree && { allowList: isFree }) } };
}
