import rateLimit from "@fastify/rate-limit";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { tooManyRequests } from "./errors/http-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route's rate limit is called in logs and metrics. */
    readonly limit?: "authorize" | "decision" | "token";
  }
}

/**
 * The plugin's command, in its place: it defines its own only where there is none. A rest that is longer than a window is the work of a
 * clock that was set back, as Redis keeps the moment at which a key ends. With the plugin's, callers over the limit wait for as long.
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
 * Lets routes count requests (spec, Limits): per client address, for all replicas together. An IPv6 /64 counts as one address.
 * Every answer of such a route has `x-ratelimit-limit`, `x-ratelimit-remaining` and `x-ratelimit-reset` (seconds). Over
 * the limit it is 429, with `retry-after` too. While Redis is away it is 503: no limit would be worse.
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
