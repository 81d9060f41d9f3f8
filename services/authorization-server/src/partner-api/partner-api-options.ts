import type { PositionWatch } from "@partner-connect/changes";
import type { Sql } from "@partner-connect/database";
import type { Registry } from "@partner-connect/service-runtime";
import type { Clients } from "../clients/client-cache.ts";

export interface PartnerApiOptions {
  readonly sql: Sql;
  readonly positions: PositionWatch;
  readonly registry: Registry;
  readonly clients: Clients;
  /** The configured public URL: links are made of it. */
  readonly issuer: string;
  /** Calls a minute of one address, of all routes here and of the revocation endpoint together. */
  readonly rateLimit: number;
  /** Seconds. */
  readonly refreshTokenTtl: number;
}
