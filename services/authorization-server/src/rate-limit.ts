import rateLimit from "@fastify/rate-limit";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { tooManyRequests } from "./errors/http-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly limit?: "authorize" | "decision" | "token";
  }
}

/**
 * The plugin's command, in its place: it defines its own only where there is none. A rest longer than a window comes of a clock that was
 * set back; by the plugin's, callers over the limit would wait for it.
 */
const COUNT = `
local window = tonumber(ARGV[1])
local count = redis.call('INCR', KEYS[1])
local rest = redis.call('PTTL', KEYS[1])
if count == 1 or rest > window then
  redis.call('PEXPIRE', KEYS[1], window)
  rest = window
end
return {count, rest}`;

/**
 * Lets routes count requests (spec, Limits): per client address (an IPv6 /64 is one), over all replicas. The plugin sets `x-ratelimit-*`,
 * and `retry-after` with a 429. While Redis is away it is 503: no limit would be worse.
 */
export async function limitRates(app: FastifyInstance, redis: Redis): Promise<void> {
  redis.defineCommand("rateLimit", { numberOfKeys: 1, lua: COUNT });
  await app.register(rateLimit, {
    global: false,
    redis,
    nameSpace: "rate-limit:",
    errorResponseBuilder: (request) => tooManyRequests(request.routeOptions.config.limit),
  });
}

/** A route's `config.rateLimit`. Each route has a count of its own. */
export function perMinute(max: number): { readonly max: number; readonly timeWindow: number } {
  return { max, timeWindow: 60_000 };
}
