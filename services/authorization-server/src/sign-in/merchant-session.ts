import type { Sql } from "@partner-connect/database";
import { endSessions, findReader, type MerchantAccount } from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../pages/form-token.ts";
import type { KnownEmail } from "../pages/known-email.ts";
import { merchantCookie } from "../pages/merchant-cookie.ts";
import { merchantActor } from "../pages/page-context.ts";
import { type SessionProof, sessionStore } from "./session-store.ts";

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
      const merchant = await findReader(sql, open.merchantId);
      if (merchant?.status === "active" && merchant.sessionEpoch === open.accountEpoch) {
        noteFacts(request, { merchantId: merchant.id });
        return merchant;
      }
      await store.close(id);
      return null;
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
      cookie.set(reply, await store.open({ merchantId, accountEpoch, proof }));
      knownEmail.set(reply, merchant.email);
      noteFacts(request, { merchantId });
    },
    /** How the merchant of this browser's session last proved who she is. */
    async proof(request: FastifyRequest): Promise<SessionProof | null> {
      const id = cookie.read(request);
      return (id && (await store.find(id))?.proof) || null;
    },
    /** Ends this browser's session or, if the posted form says so, all of the merchant, and returns which. Open forms stay valid: their tokens are the browser's. */
    async end(reply: FastifyReply): Promise<"here" | "everywhere"> {
      const { request } = reply;
      const id = cookie.read(request);
      // Only a live session may end others.
      const merchant = formField(request.body, "where") === "everywhere" ? await session.merchant(request) : null;
      const where = merchant ? "everywhere" : "here";
      if (merchant) await endSessions(sql, merchant.id, merchantActor(request, merchant));
      if (id !== null) {
        await store.close(id);
        request.log.info({ merchant_id: merchant?.id, where }, "merchant signed out");
      }
      cookie.clear(reply);
      knownEmail.clear(reply);
      return where;
    },
  };
  return session;
}
