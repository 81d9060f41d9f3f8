import type { Sql } from "@partner-connect/database";
import type { Clients } from "../clients/client-cache.ts";

export interface PartnerApiOptions {
  readonly sql: Sql;
  readonly clients: Clients;
  /** The configured public URL: links are made of it. */
  readonly issuer: string;
  /** Calls a minute of one address, of all routes here and of the revocation endpoint together. */
  readonly rateLimit: number;
  /** Seconds. */
  readonly refreshTokenTtl: number;
}
