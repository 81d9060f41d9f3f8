import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";
import { rateLimited } from "../errors/api-error.ts";
import type { Count, RequestCounters } from "./request-counters.ts";

const WINDOW_MS = 60_000;

export interface RateLimitOptions {
  readonly counters: RequestCounters;
  /** Requests per minute of one connection or API key. */
  readonly max: number;
}

/**
 * One bucket for each connection or API key, whatever the path, the replica and the client's address; its state in the
 * headers of every answer to a caller. Who isn't authenticated has no bucket.
 */
export async function limitRate(app: FastifyInstance, { counters, max }: RateLimitOptions): Promise<void> {
  await app.register(rateLimit, {
    max,
    timeWindow: WINDOW_MS,
    store: storeOf(counters),
    keyGenerator: (request) => request.caller?.id ?? "",
    allowList: (_request, key) => key === "",
    errorResponseBuilder: () => rateLimited(),
  });
}

/** The counters in the form that the plugin takes them: a class that it makes an instance of. */
function storeOf(counters: RequestCounters) {
  type Callback = (error: Error | null, count?: Count) => void;
  return class Store {
    incr(key: string, callback: Callback, window: number, max: number): void {
      counters.count(key, window, max).then(
        (count) => callback(null, count),
        (error: Error) => callback(error),
      );
    }

    /** All routes share the buckets. */
    child(): this {
      return this;
    }
  };
}
