import { SESSION_KEYS } from "@partner-connect/contract";
import {
  endSessions,
  findPageMerchant,
  hashCredential,
  type MerchantAccount,
} from "@partner-connect/directory";
import { noteFacts, type Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../actor.ts";
import { merchantCookie, randomSecret } from "../browser/cookie.ts";
import { knownEmail, redirectToSignIn } from "../browser/return-paths.ts";
import { tooManyRequests } from "../errors.ts";
import { formField } from "../pages/forms.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The signed-in merchant, on routes with the hook {@link requireSignIn}. */
    merchant: MerchantAccount;
  }
}

/** Hook for signed-in merchants' pages. Redirects others to the sign-in, which leads back. */
export async function requireSignIn(request: FastifyRequest, reply: FastifyReply) {
  const merchant = await useSession(request);
  if (!merchant) return redirectToSignIn(reply);
  request.merchant = merchant;
  return undefined;
}

const cookie = merchantCookie("merchant_session");

/** True if the browser sends a session id, valid or not. */
export function presentsSession(request: FastifyRequest): boolean {
  return cookie.read(request) !== null;
}

/**
 * Returns the merchant of a live session, or null. Prolongs the session, and counts the page.
 * Queries Postgres, so a change there ends sessions immediately. @throws {HttpError} 429
 */
export async function useSession(request: FastifyRequest): Promise<MerchantAccount | null> {
  const { pagesSql, redis } = request.server;
  const id = cookie.read(request);
  const session = id && (await findSession(redis, id));
  if (!session) return null;
  const merchant = await findPageMerchant(pagesSql, session.merchantId);
  if (merchant?.status === "active" && merchant.sessionEpoch === session.accountEpoch) {
    noteFacts(request, { merchantId: merchant.id });
    await countPage(request, merchant);
    return merchant;
  }
  await closeSession(redis, id);
  return null;
}

/** Counts the page, unless the route has a separate limit. @throws {HttpError} 429 */
async function countPage({ server, routeOptions }: FastifyRequest, { id }: MerchantAccount) {
  if (routeOptions.config.limit !== undefined) return;
  const { current, ttl } = await server.signIn.pages.add(id);
  if (current > server.config.rateLimits.pages)
    throw tooManyRequests("pages", Math.ceil(ttl / 1000));
}

/**
 * Starts a session and ends the browser's former one. If the merchant's sessions were ended after
 * `merchant` was read, the new one is never valid. `proof`: when and how the merchant last
 * confirmed their identity in full; null if they haven't yet.
 */
export async function startSession(
  reply: FastifyReply,
  merchant: MerchantAccount,
  proof: SessionProof | null,
): Promise<void> {
  const { id: merchantId, sessionEpoch: accountEpoch } = merchant;
  const { request, server } = reply;
  const before = cookie.read(request);
  if (before !== null) await closeSession(server.redis, before);
  cookie.set(reply, await openSession(server.redis, { merchantId, accountEpoch, proof }));
  knownEmail.set(reply, merchant.email);
  noteFacts(request, { merchantId });
}

/** When and how the merchant of this browser's session last confirmed their identity. */
export async function lastProof(request: FastifyRequest): Promise<SessionProof | null> {
  const id = cookie.read(request);
  return (id && (await findSession(request.server.redis, id))?.proof) || null;
}

/**
 * Ends this browser's session or, if the form asks for it, all sessions of the merchant. Open forms
 * stay valid, because their tokens are bound to the browser.
 */
export async function endSession(reply: FastifyReply): Promise<void> {
  const { request, server } = reply;
  const id = cookie.read(request);
  // Only a live session may end others.
  const merchant =
    formField(request.body, "where") === "everywhere" ? await useSession(request) : null;
  if (merchant) await endSessions(server.pagesSql, merchant.id, merchantActor(request, merchant));
  if (id !== null) {
    await closeSession(server.redis, id);
    const facts = { merchant_id: merchant?.id, where: merchant ? "everywhere" : "here" };
    request.log.info(facts, "merchant signed out");
  }
  cookie.clear(reply);
  knownEmail.clear(reply);
}

interface Session {
  readonly merchantId: string;
  /** `sessionEpoch` when the merchant was read to sign in. A later increment ends the session. */
  readonly accountEpoch: number;
  readonly proof: SessionProof | null;
}

/** The last time, in milliseconds since the epoch, that the merchant confirmed their identity. */
export interface SessionProof {
  readonly at: number;
  /** `asked`: a page asked for the passkey or, if there is none, for the password. */
  readonly by: "sign_in" | "asked";
}

/* Sessions are in Redis by a hash of their ids. They end after 12 hours, or 1 hour without use. */

const IDLE_SECONDS = 3600;
const ABSOLUTE_SECONDS = 12 * 3600;

const keyOf = (id: string) => `${SESSION_KEYS}:${hashCredential(id).toString("base64url")}`;

async function openSession(redis: Redis, session: Session): Promise<string> {
  const id = randomSecret();
  const stored = JSON.stringify({ signedInAt: Date.now(), ...session });
  await redis.set(keyOf(id), stored, "EX", IDLE_SECONDS);
  return id;
}

async function findSession(redis: Redis, id: string): Promise<Session | null> {
  const stored = await redis.get(keyOf(id));
  if (stored === null) return null;
  const session: Session & { readonly signedInAt: number } = JSON.parse(stored);
  const left = ABSOLUTE_SECONDS - Math.floor((Date.now() - session.signedInAt) / 1000);
  if (left <= 0) return null;
  await redis.expire(keyOf(id), Math.min(IDLE_SECONDS, left));
  return session;
}

async function closeSession(redis: Redis, id: string): Promise<void> {
  await redis.del(keyOf(id));
}
