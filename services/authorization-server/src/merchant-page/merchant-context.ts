import type { Sql } from "@partner-connect/database";
import { within } from "@partner-connect/database";
import { type Client, findMerchant, type Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CodeIssuer } from "../consent/code-issuer.ts";
import type { DecisionStore } from "../consent/decision-store.ts";
import type { SessionStore } from "../sign-in/session-store.ts";
import type { SignInThrottle } from "../sign-in/sign-in-throttle.ts";
import type { AccountView } from "./account.view.ts";
import { browserSecret } from "./browser-secret.ts";
import { field } from "./form-body.ts";
import { formToken, isFormToken } from "./form-token.ts";
import type { MerchantCookies } from "./merchant-cookie.ts";

/** What the routes of the merchant pages work with. */
export interface MerchantContext {
  readonly sql: Sql;
  /** The `iss` of authorization responses. */
  readonly issuer: string;
  /** A client as it is now. */
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly decisions: DecisionStore;
  readonly codes: CodeIssuer;
  readonly sessions: SessionStore;
  readonly throttle: SignInThrottle;
  readonly cookies: MerchantCookies;
  readonly refreshTokenTtlSeconds: number;
  /** How long after its exchange a replayed code is taken for a retry. */
  readonly codeReplayGraceSeconds: number;
}

/** Milliseconds that a page waits for Postgres. */
export const DATABASE_DEADLINE_MS = 2000;

/** The merchant signed in to this browser, or null. */
export async function signedInMerchant(context: MerchantContext, request: FastifyRequest): Promise<Merchant | null> {
  const id = context.cookies.session.read(request);
  const merchantId = id && (await context.sessions.merchantOf(id));
  return merchantId ? await within(DATABASE_DEADLINE_MS, findMerchant(context.sql, merchantId)) : null;
}

/** The token of a form that does `purpose`; a browser seen for the first time gets its secret with it. */
export function tokenFor(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: string,
): string {
  return formToken(browserSecret(context.cookies, request, reply), purpose);
}

/** Whether the posted form is one that this browser was shown for `purpose`. */
export function hasToken(context: MerchantContext, request: FastifyRequest, purpose: string): boolean {
  const secret = context.cookies.browser.read(request);
  return secret !== null && isFormToken(field(request.body, "token"), secret, purpose);
}

export const SIGN_OUT = "sign-out";

/** Who is signed in, below a page that belongs to no partner's request. */
export function accountOf(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  merchant: Merchant,
): AccountView {
  const token = tokenFor(context, request, reply, SIGN_OUT);
  return { merchant, signOutPath: "/oauth/sign-out", token, purpose: "sign_out" };
}
