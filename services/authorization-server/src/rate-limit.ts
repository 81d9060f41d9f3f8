import rateLimit from "@fastify/rate-limit";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { tooManyRequests } from "./errors/http-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly limit?: LimitName;
  }
}

/** `token`: exchanges, refreshes and batches of them. `partner_api`: what else a client asks by HTTP Basic. */
export type LimitName = "authorize" | "decision" | "openid" | "token" | "partner_api";

/** A rest longer than a window comes of a clock that was set back: callers over the limit would wait for it. */
const COUNT = `
local window = tonumber(ARGV[1])
local count = redis.call('INCR', KEYS[1])
local rest = redis.call('PTTL', KEYS[1])
if count == 1 or rest > window then
  redis.call('PEXPIRE', KEYS[1], window)
  rest = window
end
return {count, rest}`;

type Count = Redis & { rateLimit(key: string, window: number): Promise<[current: number, ttl: number]> };

/** The plugin's store, but that routes of one limit share a count. The plugin counts each route by itself. */
function counters(redis: Redis) {
  redis.defineCommand("rateLimit", { numberOfKeys: 1, lua: COUNT });
  return class Counter {
    readonly #limit: string;
    constructor(route: object) {
      this.#limit = (route as Partial<{ limit: LimitName }>).limit ?? "";
    }
    child(route: object): Counter {
      return new Counter(route);
    }
    incr(
      address: string,
      done: (error: Error | null, result?: { current: number; ttl: number }) => void,
      window: number,
    ) {
      (redis as Count)
        .rateLimit(`rate-limit:${this.#limit}-${address}`, window)
        .then(([current, ttl]) => done(null, { current, ttl }), done);
    }
  };
}

/**
 * Lets routes count requests (spec, Limits): per client address (an IPv6 /64 is one), over all replicas. The plugin sets `x-ratelimit-*`,
 * and `retry-after` with a 429. While Redis is away it is 503: no limit would be worse.
 */
export async function limitRates(app: FastifyInstance, redis: Redis): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    store: counters(redis),
    errorResponseBuilder: (request) => tooManyRequests(request.routeOptions.config.limit),
  });
}

/** What limits a route, for its `config`. Routes of one limit share its count. */
export function limited(limit: LimitName, max: number) {
  return { limit, rateLimit: { max, timeWindow: 60_000, limit } };
}
