import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { Sql } from "@partner-connect/database";
import { type Client, verifyPassword } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { connectionsRoutes } from "./connected-apps/connected-apps.route.ts";
import { authorizationRoutes } from "./consent/authorization.route.ts";
import type { CodeIssuer } from "./consent/code-issuer.ts";
import { decisionStore } from "./consent/decision-store.ts";
import { assetsRoutes } from "./merchant-page/assets.route.ts";
import { errorPage } from "./merchant-page/error-page.ts";
import type { MerchantContext } from "./merchant-page/merchant-context.ts";
import { merchantCookies } from "./merchant-page/merchant-cookie.ts";
import { isSameOrigin } from "./merchant-page/same-origin.ts";
import { MERCHANT_HEADERS } from "./merchant-page/send-merchant-page.ts";
import { sessionStore } from "./sign-in/session-store.ts";
import { signInRoutes } from "./sign-in/sign-in.route.ts";
import { signInThrottle } from "./sign-in/sign-in-throttle.ts";

export interface ConsentPagesOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly codes: CodeIssuer;
  readonly publicBaseUrl: string;
  readonly refreshTokenTtlSeconds: number;
  readonly codeReplayGraceSeconds: number;
  /** Decisions per minute and address. */
  readonly decisionRateLimit: number;
}

/** Bytes of a form; none of ours has half as many. */
const BODY_LIMIT = 16_384;

/** The merchant pages, as a plugin of their own: its body parser, cookies and headers touch no other route. */
export async function consentPages(app: FastifyInstance, options: ConsentPagesOptions): Promise<void> {
  const { sql, redis, findClient, codes, publicBaseUrl, refreshTokenTtlSeconds, codeReplayGraceSeconds } = options;
  const context: MerchantContext = {
    sql,
    findClient,
    codes,
    issuer: publicBaseUrl,
    refreshTokenTtlSeconds,
    codeReplayGraceSeconds,
    decisions: decisionStore(redis),
    sessions: sessionStore(redis),
    throttle: signInThrottle(redis),
    cookies: merchantCookies(publicBaseUrl),
  };
  await app.register(cookie);
  // Forms and nothing else: a body of another type, which scripts of other sites may send as well, is 415.
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: BODY_LIMIT });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(MERCHANT_HEADERS);
    if (request.method !== "POST") return;
    const { origin, "sec-fetch-site": secFetchSite } = request.headers;
    const post = { origin, secFetchSite: secFetchSite?.toString(), host: request.host };
    if (!isSameOrigin(post, publicBaseUrl)) {
      return errorPage(reply, { status: 403, kind: "foreign_form", requestId: request.id });
    }
  });
  // The first check against no account makes a hash to check against; the first merchant should not wait for it.
  app.addHook("onReady", async () => void (await verifyPassword(null, "")));

  assetsRoutes(app);
  signInRoutes(app, context);
  authorizationRoutes(app, context, options);
  connectionsRoutes(app, context);
}
