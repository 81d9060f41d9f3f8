import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type PartnerConnect, PartnerConnectError, ReconnectRequired } from "@partner-connect/partner-sdk";
import type { FastifyBaseLogger } from "fastify";
import { mustReconnect, type Trouble } from "../shops/shop.ts";
import type { ShopStore } from "../shops/shop-store.ts";
import { applyBatch, copiedState } from "./mirror.ts";

export interface SyncsOptions {
  readonly partnerConnect: PartnerConnect;
  readonly shops: ShopStore;
  readonly database: DatabaseSync;
  readonly log: FastifyBaseLogger;
}

const EVERY_MS = 60_000;

/** Keeps the copies in sync: one sync at a time for each shop. */
export class Syncs {
  readonly #options: SyncsOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(options: SyncsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#runAll(), EVERY_MS).unref();
    this.#runAll();
  }

  /** Waits until the shop's copy is up to date, or the sync has failed, at most `longestMs`. Never throws: {@link Trouble} is kept. */
  async run(connectionId: string, longestMs: number): Promise<void> {
    let sync = this.#running.get(connectionId);
    if (!sync) {
      sync = this.#sync(connectionId).finally(() => this.#running.delete(connectionId));
      this.#running.set(connectionId, sync);
    }
    await Promise.race([sync, sleep(longestMs, undefined, { ref: false })]);
  }

  /** The same for a shop that was just connected again: a sync that is under way began with the former tokens, and may fail by them. */
  async runAnew(connectionId: string, longestMs: number): Promise<void> {
    const former = this.#running.get(connectionId) ?? Promise.resolve();
    const anew = former.then(() => this.run(connectionId, longestMs));
    await Promise.race([anew, sleep(longestMs, undefined, { ref: false })]);
  }

  isRunning(connectionId: string): boolean {
    return this.#running.has(connectionId);
  }

  /** Ends what is under way; the next start goes on there. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  #runAll(): void {
    for (const shop of this.#options.shops.list()) if (!mustReconnect(shop)) void this.run(shop.connectionId, 0);
  }

  async #sync(connectionId: string): Promise<void> {
    const { partnerConnect, shops, database, log } = this.#options;
    const { signal } = this.#stopping;
    try {
      const shop = partnerConnect.shop(connectionId);
      shops.update(connectionId, await shop.connection({ signal }));
      let state = copiedState(database, connectionId);
      for await (const batch of shop.syncResponses(state, { signal })) {
        if (!applyBatch(database, connectionId, state, batch)) return;
        state = batch.state;
      }
      shops.setSynced(connectionId, new Date().toISOString());
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, connectionId }, "a sync failed");
      shops.setTrouble(connectionId, troubleOf(error));
    }
  }
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof ReconnectRequired) return { code: error.code, reason: error.reason };
  return { code: error instanceof PartnerConnectError ? error.code : "defect" };
}
