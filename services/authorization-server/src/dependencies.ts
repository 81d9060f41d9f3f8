import type { Refresher } from "@partner-connect/connections";
import type { ActivityCounters } from "@partner-connect/connections/activity";
import type { PositionWatch } from "@partner-connect/connections/changes";
import type { Sql } from "@partner-connect/database";
import type { SecretUses } from "@partner-connect/directory";
import type { Logger, Metrics, Redis } from "@partner-connect/service-runtime";
import type { Clients } from "./clients/client-cache.ts";
import type { Config } from "./config.ts";
import type { AuthorizationCodes } from "./provider/authorization-codes.ts";
import type { RefreshTokens } from "./provider/refresh-tokens.ts";
import type { LiveSigningKeys } from "./signing-keys/live-signing-keys.ts";
import type { AccessTokenIssuer } from "./token/access-token.ts";

/** The dependencies that `main`, or a test, opens. */
export interface Dependencies {
  readonly config: Config;
  readonly sql: Sql;
  /** A separate pool, so that slow pages don't take the token endpoint's connections. */
  readonly pagesSql: Sql;
  readonly redis: Redis;
  readonly signingKeys: Pick<LiveSigningKeys, "current">;
  readonly activity: ActivityCounters;
  readonly secretUses: SecretUses;
  /** Wakes calls that wait for changes; closing it ends them. */
  readonly positions: PositionWatch;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

declare module "fastify" {
  /** `createApp` decorates the application with these, so that no route is passed them. */
  interface FastifyInstance {
    readonly config: Config;
    readonly sql: Sql;
    readonly pagesSql: Sql;
    readonly redis: Redis;
    readonly clients: Clients;
    readonly codes: AuthorizationCodes;
    readonly refreshTokens: RefreshTokens;
    readonly refreshConnection: Refresher;
    readonly accessTokens: AccessTokenIssuer;
  }
}
