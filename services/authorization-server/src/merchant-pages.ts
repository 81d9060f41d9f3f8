import type { Sql } from "@partner-connect/database";
import type { Client } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { connectedAppsRoutes } from "./connected-apps/index.ts";
import { AUTHORIZATION_PATH, type CodeIssuer, consentRoutes } from "./consent/index.ts";
import {
  assetsRoutes,
  browserSecrets,
  formTokens,
  knownEmail,
  languageRoute,
  logoRoutes,
  preferLanguages,
  requestRules,
  returnPaths,
  sealedForBrowser,
} from "./merchant-page/index.ts";
import { partnerPages } from "./partner/index.ts";
import { passwordRoutes } from "./password/index.ts";
import { challenges, merchantSignIn, type OpenIdSettings, passkeysRoutes, relyingParty } from "./sign-in/index.ts";
import { pageMail } from "./throttle/page-mail.ts";

export interface MerchantPagesOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly databaseUrl: string;
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly codes: CodeIssuer;
  readonly publicBaseUrl: string;
  /** The address that mails come from; null: mail is off. */
  readonly mailFrom: string | null;
  /** The auth hostname's; null: none, or none is told. */
  readonly authUrl: string | null;
  readonly refreshTokenTtlSeconds: number;
  readonly authorizationCodeTtlSeconds: number;
  readonly codeReplayGraceSeconds: number;
  readonly decisionRateLimit: number;
  /** Calls a minute: what the partner pages say of them. */
  readonly rateLimits: { readonly authorize: number; readonly token: number; readonly partnerApi: number };
  /** Where partners ask for changes; null: of the operator who registered their client. */
  readonly supportUrl: string | null;
  /** Takes a refresh token, by its SHA-256, out of Redis. */
  readonly forgetRefreshToken: (hash: Buffer) => Promise<void>;
  readonly openId: OpenIdSettings | null;
}

/** All merchant pages, as one plugin: its body parser, cookies and headers apply to no other route. */
export async function merchantPages(app: FastifyInstance, options: MerchantPagesOptions): Promise<void> {
  const { sql, publicBaseUrl } = options;
  await requestRules(app, publicBaseUrl);
  const browsers = browserSecrets(publicBaseUrl);
  const sealed = sealedForBrowser(browsers);
  const shared = {
    ...options,
    browsers,
    formTokens: formTokens(browsers),
    sealed,
    returns: returnPaths(publicBaseUrl, sealed),
    knownEmail: knownEmail(publicBaseUrl, sealed),
    challenges: challenges(options.redis, browsers),
    party: relyingParty(publicBaseUrl, options.authUrl),
  };

  // Pages beside the request that waits in this browser are in its languages too.
  app.addHook("onRequest", async (request) => {
    if (request.url.startsWith(AUTHORIZATION_PATH)) return;
    preferLanguages(request, shared.returns.remembered(request)?.uiLocales);
  });

  assetsRoutes(app);
  languageRoute(app);
  logoRoutes(app, sql);
  const signIn = merchantSignIn(app, shared);
  const mail = pageMail(options.redis, options.mailFrom);
  const hasPasswords = !options.openId?.only;
  const context = { ...shared, signIn, mail, hasPasswords };
  consentRoutes(app, context);
  if (hasPasswords) passwordRoutes(app, context);
  connectedAppsRoutes(app, context);
  passkeysRoutes(app, context);
  partnerPages(app, context);
}
