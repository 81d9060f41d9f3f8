import type { Client } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { Adapter, AdapterPayload } from "oidc-provider";
import type { Clients } from "../clients/client-cache.ts";
import { seal, unseal } from "../sealed-text.ts";
import { keyOf, NOT_USED } from "./record.ts";
import { slidingRecords } from "./refresh-tokens.ts";

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
 * Codes and grants: the payload, sealed with the id so that only its holder can read it, and the time when it was consumed. The first write
 * counts.
 */
function sealedRecords(redis: Redis, model: string): Adapter {
  const purpose = `oauth:${model}`;
  return {
    ...NOT_USED,
    async upsert(id, { jti: _, ...payload }, expiresIn: number) {
      await redis.eval(WRITE_ONCE, 1, keyOf(model, id), seal(JSON.stringify(payload), id, purpose), expiresIn);
    },
    async find(id) {
      const { payload, consumed } = await redis.hgetall(keyOf(model, id));
      if (payload === undefined) return undefined;
      const text = unseal(payload, id, purpose);
      if (text === null) throw new Error(`a record of ${model} can't be opened with its id`);
      return { ...JSON.parse(text), jti: id, ...(consumed !== undefined && { consumed: true }) };
    },
    async consume(id) {
      await redis.eval(CONSUME, 1, keyOf(model, id), Math.floor(Date.now() / 1000), REDEEMED_SECONDS);
    },
  };
}

/** KEYS[1]: the record. ARGV[1]: its payload. ARGV[2]: its lifetime, seconds. */
const WRITE_ONCE = `
if redis.call('HSETNX', KEYS[1], 'payload', ARGV[1]) == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** ARGV: the time, and for how long it is kept, both in seconds. */
const CONSUME = `
redis.call('HSET', KEYS[1], 'consumed', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 0`;
