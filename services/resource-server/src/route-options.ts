import type { AnswerMemory } from "./answers/answer-memory.ts";
import type { Caller } from "./authentication/caller.ts";
import type { RequiredScope } from "./authorization/required-scope.ts";
import type { ExportPlaces } from "./responses/export/export-places.ts";
import type { Database } from "./stores/database.ts";
import type { OptionalRedis } from "./stores/optional-redis.ts";
import type { Writes } from "./stores/writes.ts";
import type { UsageCounters } from "./usage/usage-counters.ts";

/** What every route works with. */
export interface RouteOptions {
  /** For statements that only read. */
  readonly database: Database;
  readonly writes: Writes;
  readonly redis: OptionalRedis;
  readonly answers: AnswerMemory;
  readonly exportPlaces: ExportPlaces;
  readonly usage: UsageCounters;
  readonly publicApiUrl: string;
  /** How long a refresh token lives without use. */
  readonly refreshTokenTtlSeconds: number;
  /** Milliseconds since the epoch; default: this machine's. */
  readonly now?: () => number;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes that have a scope, before anything else: see app.ts. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Spec, Scopes: what the route needs. A route without it is open to everybody. */
    readonly scope?: RequiredScope;
  }
}
