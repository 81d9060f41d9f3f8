/**
 * A peer of `bench refresh`: oidc-provider as its documentation sets it up, with records in Redis
 * and ES256 JWT access tokens. The same work as ours: a rate limit in Redis, a refresh token that
 * doesn't rotate and whose expiry slides.
 */
import { randomBytes } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Adapter } from "oidc-provider";

const redis = new Redis(process.env["REDIS_URL"] ?? "");
const RESOURCE = "https://api.bench.example";

/** Payloads as JSON by id; consumable ones as Redis hashes, as in the library's example. */
function adapter(model: string): Adapter {
  const key = (id: string) => `bench-stock:${model}:${id}`;
  const consumable = model === "RefreshToken" || model === "AuthorizationCode";
  return {
    async upsert(id, payload, expiresIn) {
      const transaction = redis.multi();
      if (consumable) transaction.hset(key(id), { payload: JSON.stringify(payload) });
      else transaction.set(key(id), JSON.stringify(payload));
      if (expiresIn) transaction.expire(key(id), expiresIn);
      if (payload.grantId) {
        transaction.rpush(`bench-stock:grant:${payload.grantId}`, key(id));
        transaction.expire(`bench-stock:grant:${payload.grantId}`, expiresIn ?? 60);
      }
      await transaction.exec();
    },
    async find(id) {
      if (!consumable) {
        const stored = await redis.get(key(id));
        return stored === null ? undefined : JSON.parse(stored);
      }
      const { payload, ...rest } = await redis.hgetall(key(id));
      return payload === undefined ? undefined : { ...rest, ...JSON.parse(payload) };
    },
    consume: async (id) => void (await redis.hset(key(id), "consumed", Date.now())),
    destroy: async (id) => void (await redis.del(key(id))),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    revokeByGrantId: () => Promise.resolve(),
  };
}

const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const clientId = "bench";
const secret = randomBytes(32).toString("base64url");
const provider = new Provider("http://127.0.0.1", {
  adapter,
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig" }] },
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      redirect_uris: ["https://partner.example/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      id_token_signed_response_alg: "ES256",
    },
  ],
  enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
  clientDefaults: { id_token_signed_response_alg: "ES256" },
  rotateRefreshToken: false,
  ttl: { Grant: 30 * 24 * 60 * 60, RefreshToken: 30 * 24 * 60 * 60 },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "responses:read",
        audience: RESOURCE,
        accessTokenFormat: "jwt",
        accessTokenTTL: 900,
        jwt: { sign: { alg: "ES256" } },
      }),
    },
  },
});
provider.on("server_error", (_context, error) => console.error(error));

const grant = new provider.Grant({ accountId: "shop", clientId });
grant.addOIDCScope("offline_access");
grant.addResourceScope(RESOURCE, "responses:read");
const grantId = await grant.save();
const client = await provider.Client.find(clientId);
const refreshToken = await Reflect.construct(provider.RefreshToken, [
  {
    accountId: "shop",
    client,
    grantId,
    scope: "offline_access responses:read",
    resource: RESOURCE,
    gty: "authorization_code",
  },
]).save();

// The library never extends a stored record's life, so each refresh stores both again.
const LIFETIME = 30 * 24 * 60 * 60;
provider.on("grant.success", ({ oidc }) => {
  for (const record of [oidc.entities.RefreshToken, oidc.entities.Grant]) {
    if (record) record.exp = Math.floor(Date.now() / 1000) + LIFETIME;
    void record?.save();
  }
});

const app = Fastify();
await app.register(rateLimit, { redis, nameSpace: "bench-stock:", max: 100_000_000 });
const callback = provider.callback();
app.removeAllContentTypeParsers();
app.addContentTypeParser("*", (_request, _payload, done) => done(null));
app.post("/token", async (request, reply) => {
  reply.hijack();
  await callback(request.raw, reply.raw);
});
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
console.log(
  JSON.stringify({
    url: `http://127.0.0.1:${port}/token`,
    clientId,
    secret,
    refreshTokens: [refreshToken],
  }),
);
