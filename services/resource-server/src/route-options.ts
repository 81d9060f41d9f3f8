import type { Caller } from "./authentication/caller.ts";
import type { RequiredScope } from "./authorization/require-scope.ts";
import type { Databases } from "./databases.ts";
import type { OptionalRedis } from "./optional-redis.ts";
import type { Pages } from "./pagination/page.ts";

export interface RouteOptions {
  readonly databases: Databases;
  readonly pages: Pages;
  readonly redis: OptionalRedis;
  readonly refreshTokenTtlSeconds: number;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Spec, Scopes: the required scope. A route without it needs no credential. */
    readonly scope?: RequiredScope;
  }
}
