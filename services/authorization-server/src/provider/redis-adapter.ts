import { type Client, hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Clients } from "../client-cache.ts";
import { seal, unseal } from "../sealed-text.ts";

/** How long a redeemed code is still recognised, so that its replay is noticed. Seconds. */
export const REDEEMED_SECONDS = 24 * 60 * 60;

export interface StoredModels {
  readonly redis: Redis;
  readonly clients: Pick<Clients, "find">;
  readonly refreshTokenTtl: number;
}

/**
 * The library's models: clients in our directory; codes, grants and refresh tokens in Redis, as `oauth:<model>:<SHA-256 of the id>`. Ids
 * may be bearer credentials, so neither key nor value holds one.
 */
export function redisAdapter({ redis, clients, refreshTokenTtl }: StoredModels): (model: string) => Adapter {
  return (model) => {
    if (model === "Client") return registeredClients(clients);
    return model === "RefreshToken" ? slidingRecords(redis, model, refreshTokenTtl) : sealedRecords(redis, model);
  };
}

/** Clients as they are now; a disabled one is unknown. */
function registeredClients(clients: Pick<Clients, "find">): Adapter {
  return {
    ...NOT_USED,
    async find(id) {
      const client = await clients.find(id);
      return client?.status === "active" ? metadataOf(client) : undefined;
    },
  };
}

function metadataOf(client: Client): AdapterPayload {
  return {
    client_id: client.clientId,
    // The library wants one. The token endpoint authenticates clients itself (token/client-authentication.ts).
    client_secret: client.secrets[0]?.hash.toString("base64url"),
    redirect_uris: [...client.redirectUris],
    scope: client.scope.join(" "),
    grant_types: [...client.grantTypes],
    response_types: client.grantTypes.includes("authorization_code") ? ["code"] : [],
  };
}

/**
 * Codes and grants: the payload, sealed with the id so that only its holder can read it. The first write counts. A record that is consumed
 * lives on for {@link REDEEMED_SECONDS}; Postgres knows that its code was redeemed.
 */
function sealedRecords(redis: Redis, model: string): Adapter {
  const purpose = `oauth:${model}`;
  return {
    ...NOT_USED,
    async upsert(id, { jti: _, ...payload }, expiresIn: number) {
      await redis.set(keyOf(model, id), seal(JSON.stringify(payload), id, purpose), "EX", expiresIn, "NX");
    },
    async find(id) {
      const payload = await redis.get(keyOf(model, id));
      if (payload === null) return undefined;
      const text = unseal(payload, id, purpose);
      if (text === null) throw new Error(`a record of ${model} can't be opened with its id`);
      return { ...JSON.parse(text), jti: id };
    },
    async consume(id) {
      await redis.expire(keyOf(model, id), REDEEMED_SECONDS);
    },
  };
}

/** Refresh tokens: client and grant as text, as neither is secret. A record that is found begins its lifetime anew in the same command. */
function slidingRecords(redis: Redis, model: string, ttl: number): Adapter {
  return {
    ...NOT_USED,
    async upsert(id, { clientId, grantId }, expiresIn: number) {
      await redis.set(keyOf(model, id), JSON.stringify({ clientId, grantId }), "EX", expiresIn);
    },
    async find(id) {
      const text = await redis.getex(keyOf(model, id), "EX", ttl);
      return text === null ? undefined : { ...JSON.parse(text), jti: id };
    },
    async destroy(id) {
      await redis.del(keyOf(model, id));
    },
  };
}

/** Where a record is. Its id may be a bearer credential. */
function keyOf(model: string, id: string): string {
  return keyOfHash(model, hashCredential(id));
}

export function keyOfHash(model: string, hash: Buffer): string {
  return `oauth:${model}:${hash.toString("base64url")}`;
}

/** The library calls these for no model that we use in this way. */
const NOT_USED: Adapter = {
  upsert: notUsed,
  find: notUsed,
  findByUid: notUsed,
  findByUserCode: notUsed,
  consume: notUsed,
  destroy: notUsed,
  revokeByGrantId: notUsed,
};

function notUsed(): Promise<never> {
  return Promise.reject(new Error("this model has no such operation"));
}
