import type { DatabaseSync } from "node:sqlite";
import { type PartnerConnect, PartnerConnectError, ReconnectRequired } from "@partner-connect/partner-sdk";
import type { FastifyBaseLogger } from "fastify";
import type { Trouble } from "../shops/shop.ts";
import type { ShopStore } from "../shops/shop-store.ts";
import { applyBatch, copiedState, followState, keepFollowState } from "./mirror.ts";

export interface FollowShopsOptions {
  readonly partnerConnect: PartnerConnect;
  readonly shops: ShopStore;
  readonly database: DatabaseSync;
  readonly log: FastifyBaseLogger;
}

/** Keeps the copies of all shops in sync, until `stop`. The next start goes on there. */
export function followShops({ partnerConnect, shops, database, log }: FollowShopsOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const following = partnerConnect.follow({
    readState: () => followState(database),
    keepState: (state, previous) => keepFollowState(database, state, previous),
    readCopyState: (connectionId) => copiedState(database, connectionId),
    apply: (batch, { connectionId, previous }) => applyBatch(database, connectionId, previous, batch),
    async connectionChanged({ connectionId, status }) {
      if (status === "connected") {
        const {
          shop,
          scope,
          connected_at: connectedAt,
        } = await partnerConnect.shop(connectionId).connection({ signal });
        shops.remember({ id: connectionId, shop, scope, connectedAt: connectedAt ?? new Date().toISOString() });
      } else {
        log.warn({ connectionId, status }, "a connection has ended, or is on hold");
        shops.setTrouble(connectionId, { code: status });
      }
    },
    trouble(error, connectionId) {
      log.warn({ err: error, connectionId }, "a sync failed");
      if (connectionId !== null) shops.setTrouble(connectionId, troubleOf(error));
    },
    signal,
  });
  return {
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof ReconnectRequired) return { code: error.code, reason: error.reason };
  return { code: error instanceof PartnerConnectError ? error.code : "defect" };
}
