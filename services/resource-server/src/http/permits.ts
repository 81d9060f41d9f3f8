import { rateLimited, Semaphore, unavailable } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";

export interface PermitsOptions {
  readonly ofShop: number;
  readonly inAll: number;
  readonly waitMs: number;
}

/**
 * Permits for requests, because each may hold a page of 16 MB until its client has read it. The
 * limit per shop keeps one shop from using all read connections.
 */
export const REQUEST_PERMITS: PermitsOptions = { ofShop: 4, inAll: 32, waitMs: 5000 };

const RETRY_AFTER = "5";

/** A semaphore per shop, and one for all shops. */
export class Permits {
  readonly #options: PermitsOptions;
  readonly #shops = new Map<string, Semaphore>();
  readonly #all: Semaphore;

  constructor(options: PermitsOptions) {
    this.#options = options;
    this.#all = new Semaphore(options.inAll, options.waitMs);
  }

  get taken(): number {
    return this.#all.taken;
  }

  get limit(): number {
    return this.#options.inAll;
  }

  /**
   * Returns a function that releases the permit. @throws {ApiError} 429 if the shop's own calls
   * compete for its permits; 503 if none of them was released during the wait (they may all wait
   * for Postgres), or if the permits of all shops together are taken
   */
  async take(shopId: string): Promise<() => void> {
    const shop =
      this.#shops.get(shopId) ?? new Semaphore(this.#options.ofShop, this.#options.waitMs);
    this.#shops.set(shopId, shop);
    const releasedBefore = shop.released;
    if (!(await shop.take())) {
      if (shop.released === releasedBefore) throw unavailable("too_many_requests", RETRY_AFTER);
      throw rateLimited("concurrent_requests", { "retry-after": RETRY_AFTER });
    }
    const releaseShop = (): void => {
      shop.release();
      if (shop.taken === 0) this.#shops.delete(shopId);
    };
    if (!(await this.#all.take())) {
      releaseShop();
      throw unavailable("too_many_requests", RETRY_AFTER);
    }
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all.release();
      releaseShop();
    };
  }
}

declare module "fastify" {
  interface FastifyRequest {
    releasePermit: (() => void) | null;
  }
}

/** Gives a caller's request a permit until its response is written or its socket is closed. */
export function limitConcurrency(app: FastifyInstance, permits: Permits): void {
  app.decorateRequest("releasePermit", null);
  // A client may pipeline requests, and each adds a listener for the socket's close.
  app.server.on("connection", (socket) => void socket.setMaxListeners(0));
  app.addHook("preParsing", async (request, reply) => {
    if (!request.routeOptions.config.scope) return;
    const release = await permits.take(request.caller.shopId);
    request.releasePermit = release;
    if (!request.raw.socket.destroyed) return;
    release();
    reply.hijack(); // the client is gone
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    const { releasePermit: release } = request;
    const { socket } = request.raw;
    if (release) {
      const end = (): void => {
        socket.off("close", end);
        reply.raw.off("close", end);
        release();
      };
      if (socket.destroyed) release();
      else {
        socket.once("close", end);
        reply.raw.once("close", end);
      }
    }
    done();
  });
}
