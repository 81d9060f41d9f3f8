import type { Scope } from "@partner-connect/access-token";

/** Who asks, and for which one shop. Whether they still may is judged in the same round trip as the data. */
export type Caller = ConnectedClient | ApiKey;

/** The bearer of a verified access token. */
export interface ConnectedClient {
  readonly kind: "connection";
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
  readonly generation: number;
  /** The token's. What counts is what the connection has as well. */
  readonly scope: readonly Scope[];
}

/** A merchant's own key. It has the scopes of its shop's plan. */
export interface ApiKey {
  readonly kind: "api_key";
  readonly id: string;
  readonly shopId: string;
}
