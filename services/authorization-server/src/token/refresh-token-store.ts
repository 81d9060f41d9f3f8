import type { LiveGrant } from "@partner-connect/connections";

/**
 * What Redis knows of refresh tokens: each with its client and grant, for as long as it lives. Postgres knows enough to answer
 * without it, so losing Redis loses no connection. `provider/` implements it with the library.
 */
export interface RefreshTokenStore {
  put(value: string, clientId: string, grant: Pick<LiveGrant, "shopId" | "grantId" | "scope">): Promise<void>;
  /** Whether Redis knows the token as this client's. If so, its whole lifetime has begun anew. */
  use(value: string, clientId: string): Promise<boolean>;
  /** Takes the new lifetime away from a token whose refresh was refused: Postgres alone then says when it expires. */
  forget(value: string): Promise<void>;
}
