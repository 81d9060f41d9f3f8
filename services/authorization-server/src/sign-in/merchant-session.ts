import type { Sql } from "@partner-connect/database";
import { findMerchant, type Merchant } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookie } from "../merchant-page/merchant-cookie.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import { sessionStore } from "./session-store.ts";

/** The session of a browser: its cookie holds the id, Redis the rest. */
export interface MerchantSession {
  /** Whether the browser has a session, which may have ended. */
  isPresented(request: FastifyRequest): boolean;
  /** The merchant of a live session, or null. */
  merchant(request: FastifyRequest): Promise<Merchant | null>;
  /** Starts a session with a new id, and ends the one that the browser had before. */
  start(request: FastifyRequest, reply: FastifyReply, merchantId: string): Promise<void>;
  /** Ends the browser's session, or every session of its merchant. */
  end(request: FastifyRequest, reply: FastifyReply, where: "here" | "everywhere"): Promise<void>;
}

export function merchantSession(sql: Sql, redis: Redis, publicBaseUrl: string): MerchantSession {
  const cookie = merchantCookie(publicBaseUrl, "merchant_session");
  const store = sessionStore(redis);
  return {
    isPresented: (request) => cookie.read(request) !== null,
    async merchant(request) {
      const id = cookie.read(request);
      const merchantId = id && (await store.merchantOf(id));
      return merchantId ? await beforeDeadline(findMerchant(sql, merchantId)) : null;
    },
    async start(request, reply, merchantId) {
      const before = cookie.read(request);
      if (before !== null) await store.close(before);
      cookie.set(reply, await store.open(merchantId));
      request.log.info({ merchant: merchantId }, "merchant signed in");
    },
    async end(request, reply, where) {
      const id = cookie.read(request);
      if (id !== null) {
        const merchantId = await store.merchantOf(id);
        if (merchantId !== null && where === "everywhere") await store.closeAll(merchantId);
        await store.close(id);
        request.log.info({ merchant: merchantId }, "merchant signed out");
      }
      cookie.clear(reply);
    },
  };
}
