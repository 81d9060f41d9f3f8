import type { Scope } from "@partner-connect/contract";
import type { RequestFacts } from "@partner-connect/service-runtime";

/**
 * The caller and its shop. Whether it may still call is read together with the data
 * (`authorization/`).
 */
export type Caller = ConnectionCaller | ApiKey;

export interface ConnectionCaller {
  readonly kind: "connection";
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
  readonly generation: number;
  /** The token's scopes. A scope counts only while the connection still has it. */
  readonly scope: readonly Scope[];
}

/** A shop's API key, which has the scopes of the shop's plan. */
export interface ApiKey {
  readonly kind: "api_key";
  readonly id: string;
  readonly shopId: string;
}

export function factsOfCaller(caller: Caller): RequestFacts {
  const { shopId, id } = caller;
  return caller.kind === "api_key"
    ? { shopId, apiKeyId: id }
    : { clientId: caller.clientId, shopId, connectionId: id };
}
