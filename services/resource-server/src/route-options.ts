import type { Scope } from "@partner-connect/access-token";
import type { Sql } from "@partner-connect/database";
import type { Caller } from "./authentication/caller.ts";
import type { OptionalRedis } from "./stores/optional-redis.ts";

/** What every route works with. */
export interface RouteOptions {
  readonly sql: Sql;
  /** Milliseconds that a request waits for Postgres, a busy pool included, before it is a 503. */
  readonly databaseTimeout: number;
  readonly redis: OptionalRedis;
  readonly publicApiUrl: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set before any handler of a route that has a scope. */
    caller: Caller;
    /** Whether the database has said in this request that the caller may call. */
    judged: boolean;
  }
  interface FastifyContextConfig {
    /** Spec, Scopes: what the route needs. A route without it is open to everybody. */
    readonly scope?: Scope;
  }
}
