import rateLimit from "@fastify/rate-limit";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { rateLimited } from "../errors/api-error.ts";

export interface RateLimitOptions {
  readonly redis: Redis;
  /** Requests per minute of one connection or API key. */
  readonly max: number;
}

/** One bucket for each connection or API key, shared by all replicas; its headers on every answer to a caller. */
export async function limitRate(app: FastifyInstance, options: RateLimitOptions): Promise<void> {
  await app.register(rateLimit, {
    max: options.max,
    timeWindow: 60_000,
    redis: options.redis,
    nameSpace: "api-rate:",
    skipOnError: true,
    keyGenerator: (request) => request.caller.id,
    allowList: (request) => request.routeOptions.config.scope === undefined,
    errorResponseBuilder: () => rateLimited(),
  });
}
