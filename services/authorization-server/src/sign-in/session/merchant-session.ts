import type { Sql } from "@partner-connect/database";
import { endSessions, findMerchant, hashCredential, type MerchantAccount } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { merchantCookie, randomSecret } from "../../merchant-page/forms/merchant-cookie.ts";
import { beforeDeadline, merchantActor } from "../../merchant-page/page-context.ts";

export type MerchantSession = ReturnType<typeof merchantSession>;

export function merchantSession(sql: Sql, redis: Redis, publicBaseUrl: string) {
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
      const merchant = await beforeDeadline(findMerchant(sql, open.merchantId));
      if (merchant?.status === "active" && merchant.sessionEpoch === open.accountEpoch) {
        noteFacts(request, { merchantId: merchant.id });
        return merchant;
      }
      await store.close(id);
      return null;
    },
    /** A new session; the browser's former one ends. If the password has changed since the merchant was read, it never lives. */
    async start(reply: FastifyReply, { id: merchantId, sessionEpoch: accountEpoch }: MerchantAccount): Promise<void> {
      const before = cookie.read(reply.request);
      if (before !== null) await store.close(before);
      cookie.set(reply, await store.open({ merchantId, accountEpoch }));
      noteFacts(reply.request, { merchantId });
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
    },
  };
  return session;
}

const IDLE_SECONDS = 3600;
const ABSOLUTE_SECONDS = 12 * 3600;

interface StoredSession {
  readonly merchantId: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
  /** The former release, which may run beside this one, finds no session without it. */
  readonly epoch: "0";
  /** The merchant's `sessionEpoch` in Postgres as it was when the password was checked. The former release left it out. */
  readonly accountEpoch?: number;
}

interface OpenSession {
  readonly merchantId: string;
  readonly accountEpoch: number;
}

/** What all merchants had before the first change of a password. */
const FIRST_EPOCH = 1;

/** The sessions of merchants: they end after an hour without use, at the latest after twelve. Redis has a hash of each id. */
function sessionStore(redis: Redis) {
  const sessionKey = (id: string) => `merchant_session:${hashCredential(id).toString("base64url")}`;
  return {
    async open({ merchantId, accountEpoch }: OpenSession): Promise<string> {
      const id = randomSecret();
      const session: StoredSession = { merchantId, signedInAt: Date.now(), epoch: "0", accountEpoch };
      await redis.set(sessionKey(id), JSON.stringify(session), "EX", IDLE_SECONDS);
      return id;
    },
    async find(id: string): Promise<OpenSession | null> {
      const stored = await redis.get(sessionKey(id));
      if (stored === null) return null;
      const session = JSON.parse(stored) as StoredSession;
      const leftSeconds = ABSOLUTE_SECONDS - Math.floor((Date.now() - session.signedInAt) / 1000);
      if (leftSeconds <= 0) {
        await redis.del(sessionKey(id));
        return null;
      }
      await redis.expire(sessionKey(id), Math.min(IDLE_SECONDS, leftSeconds));
      return { merchantId: session.merchantId, accountEpoch: session.accountEpoch ?? FIRST_EPOCH };
    },
    close: async (id: string) => void (await redis.del(sessionKey(id))),
  };
}
