import { recordAudit } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { endOtherSessions, endSessions, findReader, type MerchantAccount } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceName } from "../../merchant-page/device-name.ts";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { merchantCookie } from "../../merchant-page/forms/merchant-cookie.ts";
import type { LiveSession } from "../../merchant-page/merchant-sign-in.ts";
import { beforeDeadline, merchantActor } from "../../merchant-page/page-context.ts";
import type { KnownEmail } from "../../merchant-page/return/known-email.ts";
import { hashOf, type SessionProof, sessionStore } from "./session-store.ts";

export type { SessionProof } from "./session-store.ts";

export type MerchantSession = ReturnType<typeof merchantSession>;

interface SessionOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly publicBaseUrl: string;
  readonly knownEmail: KnownEmail;
}

export function merchantSession({ sql, redis, publicBaseUrl, knownEmail }: SessionOptions) {
  const cookie = merchantCookie(publicBaseUrl, "merchant_session");
  const store = sessionStore(redis);
  const session = {
    /** Whether the browser has a session, which may have ended. */
    isPresented: (request: FastifyRequest): boolean => cookie.read(request) !== null,
    /** The merchant of a live session, or null. Postgres is asked each time, so what ends sessions there ends them at once. */
    async merchant(request: FastifyRequest): Promise<MerchantAccount | null> {
      const id = cookie.read(request);
      const open = id && (await store.find(id));
      if (!open) return null;
      const merchant = await beforeDeadline(findReader(sql, open.merchantId));
      const isLive = (found: typeof open | null) => found?.accountEpoch === merchant?.sessionEpoch;
      // Asked again: a request beside this one may have ended the others and kept this one.
      if (merchant?.status === "active" && (isLive(open) || isLive(await store.find(id)))) {
        noteFacts(request, { merchantId: merchant.id });
        return merchant;
      }
      await store.closeSoon(id);
      return null;
    },
    /** The merchant's live sessions, the last used first. */
    async list(request: FastifyRequest, { id, sessionEpoch }: MerchantAccount): Promise<readonly LiveSession[]> {
      const own = cookie.read(request);
      const all = await store.list(id);
      const live = all.filter(({ accountEpoch }) => accountEpoch === sessionEpoch);
      return live.map((one) => ({ ...one, isThis: own !== null && one.hash === hashOf(own) }));
    },
    /** Ends one session of the merchant; false if she has none with this hash. */
    async endOne(request: FastifyRequest, merchant: MerchantAccount, hash: string): Promise<boolean> {
      const live = await session.list(request, merchant);
      if (!live.some((one) => one.hash === hash)) return false;
      const event = { action: "merchant_end_session", merchantId: merchant.id } as const;
      await beforeDeadline(recordAudit(sql, event, merchantActor(request, merchant)));
      await store.closeHash(merchant.id, hash);
      return true;
    },
    /** Ends all sessions of the merchant but that of this browser. */
    async endOthers(request: FastifyRequest, merchant: MerchantAccount): Promise<void> {
      const epoch = await beforeDeadline(endOtherSessions(sql, merchant, merchantActor(request, merchant)));
      const own = cookie.read(request);
      if (epoch !== null && own !== null) await store.keep(own, epoch);
    },
    /**
     * A new session; the browser's former one ends. If the password has changed since the merchant was read, it never lives. `proof`: how
     * the merchant last proved who she is by as much as the account asks for; null: not yet.
     */
    async start(reply: FastifyReply, merchant: MerchantAccount, proof: SessionProof | null): Promise<void> {
      const { id: merchantId, sessionEpoch: accountEpoch } = merchant;
      const { request } = reply;
      const before = cookie.read(request);
      if (before !== null) await store.close(before);
      cookie.set(
        reply,
        await store.open({
          merchantId,
          accountEpoch,
          proof,
          device: deviceName(request.headers["user-agent"]),
          address: request.ip,
        }),
      );
      knownEmail.set(reply, merchant.email);
      noteFacts(request, { merchantId });
    },
    /** How the merchant of this browser's session last proved who she is. */
    async proof(request: FastifyRequest): Promise<SessionProof | null> {
      const id = cookie.read(request);
      return (id && (await store.find(id))?.proof) || null;
    },
    /** Ends this browser's session or, if the posted form says so, all of the merchant. Open forms stay valid: their tokens are the browser's. */
    async end(reply: FastifyReply): Promise<void> {
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
      knownEmail.clear(reply);
    },
  };
  return session;
}
