import { modelKey, SCOPES } from "@partner-connect/contract";
import { type Client, hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import Provider, { type Adapter, type AdapterPayload } from "oidc-provider";
import type { Clients } from "../clients/client-cache.ts";
import { seal, unseal } from "../sealed-text.ts";

/** Seconds that a redeemed code is kept, to detect a replay. */
const REDEEMED_SECONDS = 24 * 60 * 60;

interface StoredModels {
  readonly redis: Redis;
  readonly clients: Pick<Clients, "find">;
  readonly refreshTokenTtl: number;
}

/**
 * Stores for oidc-provider's models. Clients come from our directory. Codes, grants and refresh
 * tokens are in Redis as `oauth:<model>:<SHA-256 of the id>`. An id may be a bearer credential, so
 * neither key nor value contains it.
 */
export function redisAdapter({
  redis,
  clients,
  refreshTokenTtl,
}: StoredModels): (model: string) => Adapter {
  const adapterOf = (model: string): Partial<Adapter> => {
    if (model === "Client") {
      return {
        // Returns disabled clients too: the endpoints refuse them.
        async find(id) {
          const client = await clients.find(id);
          return client ? metadataOf(client) : undefined;
        },
      };
    }
    return model === "RefreshToken"
      ? slidingRecords(redis, model, refreshTokenTtl)
      : sealedRecords(redis, model);
  };
  // oidc-provider does not call the other methods for our models.
  return (model) => adapterOf(model) as Adapter;
}

function metadataOf(client: Client): AdapterPayload {
  return {
    client_id: client.clientId,
    // Required by oidc-provider, but unused: the token endpoint authenticates clients itself
    // (clients/client-endpoint.ts).
    client_secret: client.secrets[0]?.hash.toString("base64url"),
    redirect_uris: [...client.redirectUris],
    scope: client.scope.join(" "),
    grant_types: [...client.grantTypes],
    response_types: client.grantTypes.includes("authorization_code") ? ["code"] : [],
  };
}

/**
 * Stores codes and grants. The payload is encrypted with the id, so only the holder of the id can
 * read it. The first write is final. A consumed record is kept for {@link REDEEMED_SECONDS};
 * Postgres decides whether its code was redeemed.
 */
function sealedRecords(redis: Redis, model: string): Partial<Adapter> {
  const purpose = `oauth:${model}`;
  return {
    async upsert(id, { jti: _, ...payload }, expiresIn: number) {
      const sealed = seal(JSON.stringify(payload), id, purpose);
      await redis.set(keyOf(model, id), sealed, "EX", expiresIn, "NX");
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

/**
 * Stores refresh tokens: client and grant in plain text, because neither is secret. Finding a
 * record restarts its TTL in the same command.
 */
function slidingRecords(redis: Redis, model: string, ttl: number): Partial<Adapter> {
  return {
    async upsert(id, { clientId, grantId }, expiresIn: number) {
      await redis.set(keyOf(model, id), JSON.stringify({ clientId, grantId }), "EX", expiresIn);
    },
    async find(id) {
      const text = await redis.getex(keyOf(model, id), "EX", ttl);
      return text === null ? undefined : { ...JSON.parse(text), jti: id };
    },
  };
}

/** The Redis key. The id is hashed, because it may be a bearer credential. */
function keyOf(model: string, id: string): string {
  return modelKey(model, hashCredential(id));
}

interface ProviderOptions extends StoredModels {
  readonly issuer: string;
  readonly authorizationCodeTtl: number;
}

/**
 * Creates oidc-provider, of which only the models are used. It serves no endpoint and signs
 * nothing; HS256 is set because it is the only algorithm that needs no key.
 */
export function createProvider(options: ProviderOptions): Provider {
  const { authorizationCodeTtl, refreshTokenTtl } = options;
  return new Provider(options.issuer, {
    adapter: redisAdapter(options),
    jwks: { keys: [] },
    enabledJWA: { idTokenSigningAlgValues: ["HS256"] },
    scopes: [...SCOPES],
    responseTypes: ["code"],
    // Enables the grant type 'refresh_token' without a scope 'offline_access'.
    issueRefreshToken: () => true,
    clientDefaults: {
      // Allows http and https on any host, because we check redirect URIs ourselves.
      application_type: "web",
      id_token_signed_response_alg: "HS256",
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AuthorizationCode: authorizationCodeTtl,
      // The grant lives as long as replays of its code are detected.
      Grant: authorizationCodeTtl + REDEEMED_SECONDS,
      RefreshToken: refreshTokenTtl,
    },
  });
}
