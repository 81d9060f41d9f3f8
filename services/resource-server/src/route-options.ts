import type { Caller } from "./authentication/caller.ts";
import type { RequiredScope } from "./authorization/require-scope.ts";
import type { Pages } from "./pagination/page.ts";
import type { Databases } from "./stores/databases.ts";
import type { OptionalRedis } from "./stores/optional-redis.ts";

export interface RouteOptions {
  readonly databases: Databases;
  readonly pages: Pages;
  readonly redis: OptionalRedis;
  /** How long a refresh token lives without use. */
  readonly refreshTokenTtlSeconds: number;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Spec, Scopes: what the route needs. A route without it is open to everybody. */
    readonly scope?: RequiredScope;
  }
}
