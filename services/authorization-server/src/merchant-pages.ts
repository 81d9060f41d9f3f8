import type { Sql } from "@partner-connect/database";
import type { Client } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { connectedAppsRoutes } from "./connected-apps/index.ts";
import { type CodeIssuer, consentRoutes } from "./consent/index.ts";
import { membersRoutes } from "./members/index.ts";
import {
  assetsRoutes,
  browserSecrets,
  formTokens,
  languageRoute,
  logoRoutes,
  requestRules,
} from "./merchant-page/index.ts";
import { passwordRoutes } from "./password/index.ts";
import { merchantSignIn } from "./sign-in/index.ts";

export interface MerchantPagesOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly databaseUrl: string;
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly codes: CodeIssuer;
  readonly publicBaseUrl: string;
  readonly refreshTokenTtlSeconds: number;
  readonly authorizationCodeTtlSeconds: number;
  readonly codeReplayGraceSeconds: number;
  readonly decisionRateLimit: number;
}

/** All merchant pages, as one plugin: its body parser, cookies and headers apply to no other route. */
export async function merchantPages(app: FastifyInstance, options: MerchantPagesOptions): Promise<void> {
  const { sql, publicBaseUrl } = options;
  await requestRules(app, publicBaseUrl);
  const browsers = browserSecrets(publicBaseUrl);
  const tokens = formTokens(browsers);

  assetsRoutes(app);
  languageRoute(app);
  logoRoutes(app, sql);
  const signIn = merchantSignIn(app, { ...options, formTokens: tokens });
  const context = { ...options, browsers, formTokens: tokens, signIn };
  consentRoutes(app, context);
  passwordRoutes(app, context);
  connectedAppsRoutes(app, context);
  membersRoutes(app, context);
}
