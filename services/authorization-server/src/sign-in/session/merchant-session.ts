import type { Sql } from "@partner-connect/database";
import { endSessions, findMerchant, type MerchantAccount } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../../merchant-page/forms/form-field.ts";
import { merchantCookie } from "../../merchant-page/forms/merchant-cookie.ts";
import { merchantActor } from "../../merchant-page/page-context.ts";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import { sessionStore } from "./session-store.ts";

/** The session of a browser: its cookie holds the id, Redis the rest. */
export interface MerchantSession {
  /** Whether the browser has a session, which may have ended. */
  isPresented(request: FastifyRequest): boolean;
  /** The merchant of a live session, or null. Postgres is asked each time, so what ends sessions there ends them at once. */
  merchant(request: FastifyRequest): Promise<MerchantAccount | null>;
  /**
   * Starts a session with a new id, and ends the one that the browser had before. `merchant` is as it was when the password was
   * checked: if the password has changed since, the session never lives.
   */
  start(reply: FastifyReply, merchant: MerchantAccount): Promise<void>;
  /**
   * Ends the session of this browser or, if the posted form says so, all sessions of the merchant. Forms that are open stay valid, because
   * their tokens belong to the browser. What such a form does is judged by the session that there is then.
   */
  end(reply: FastifyReply): Promise<void>;
}

export function merchantSession(sql: Sql, redis: Redis, publicBaseUrl: string): MerchantSession {
  const cookie = merchantCookie(publicBaseUrl, "merchant_session");
  const store = sessionStore(redis);
  const session: MerchantSession = {
    isPresented: (request) => cookie.read(request) !== null,
    async merchant(request) {
      const id = cookie.read(request);
      const open = id && (await store.find(id));
      if (!open) return null;
      const merchant = await beforeDeadline(findMerchant(sql, open.merchantId));
      if (merchant?.status === "active" && merchant.sessionEpoch === open.accountEpoch) {
        noteFacts(request, { merchantId: merchant.id });
        return merchant;
      }
      await store.close(id);
      return null;
    },
    async start(reply, { id: merchantId, sessionEpoch: accountEpoch }) {
      const before = cookie.read(reply.request);
      if (before !== null) await store.close(before);
      cookie.set(reply, await store.open({ merchantId, accountEpoch }));
      noteFacts(reply.request, { merchantId });
    },
    async end(reply) {
      const { request } = reply;
      const id = cookie.read(request);
      if (id !== null) {
        const where = formField(request.body, "where") === "everywhere" ? "everywhere" : "here";
        // Only a live session may end others.
        const merchant = where === "everywhere" ? await session.merchant(request) : null;
        if (merchant) await beforeDeadline(endSessions(sql, merchant.id, merchantActor(request, merchant)));
        await store.close(id);
        request.log.info({ merchant_id: merchant?.id, where }, "merchant signed out");
      }
      cookie.clear(reply);
    },
  };
  return session;
}
