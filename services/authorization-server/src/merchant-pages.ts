import type { Sql } from "@partner-connect/database";
import type { Client } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { changePasswordRoute } from "./account/change-password.route.ts";
import { connectedAppsRoute } from "./account/connected-apps.route.ts";
import { disconnectRoute } from "./account/disconnect.route.ts";
import { forgotPasswordRoute } from "./account/forgot-password.route.ts";
import { resetPasswordRoute } from "./account/reset-password.route.ts";
import { AUTHORIZATION_PATH } from "./consent/authorization-paths.ts";
import { consentRoutes } from "./consent/consent.route.ts";
import type { CodeIssuer } from "./consent/consent-context.ts";
import { assetsRoutes } from "./pages/assets.route.ts";
import { browserSecrets, formTokens } from "./pages/form-token.ts";
import { knownEmail } from "./pages/known-email.ts";
import { languageRoute } from "./pages/language.route.ts";
import { logoRoutes } from "./pages/logo.route.ts";
import { pageMail } from "./pages/page-mail.ts";
import { requestRules } from "./pages/request-rules.ts";
import { returnPaths } from "./pages/return-paths.ts";
import { sealedForBrowser } from "./pages/sealed-for-browser.ts";
import { preferLanguages } from "./pages/send-merchant-page.ts";
import { partnerPages } from "./partner/partner-pages.ts";
import { merchantSignIn } from "./sign-in/merchant-sign-in.ts";
import type { OpenIdSettings } from "./sign-in/openid/openid-provider.ts";
import { challenges } from "./sign-in/passkeys/challenges.ts";
import { passkeysRoutes } from "./sign-in/passkeys/passkeys.route.ts";
import { relyingParty } from "./sign-in/passkeys/relying-party.ts";

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
  if (hasPasswords) {
    changePasswordRoute(app, context);
    resetPasswordRoute(app, context);
    forgotPasswordRoute(app, context);
  }
  connectedAppsRoute(app, context);
  disconnectRoute(app, context);
  passkeysRoutes(app, context);
  partnerPages(app, context);
}
