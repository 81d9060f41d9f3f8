/**
 * A peer of `bench refresh`: @node-oauth/oauth2-server in Fastify, with ES256 JWT access tokens by
 * jose and refresh tokens in Redis, which don't rotate, slide, and are kept as hashes. Without our
 * other duties: rate limit, and Postgres asked whether the connection still stands.
 */
import { hash, randomBytes, randomUUID } from "node:crypto";
import OAuth2Server from "@node-oauth/oauth2-server";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { generateKeyPair, SignJWT } from "jose";

const redis = new Redis(process.env["REDIS_URL"] ?? "");
const kept = (credential: string) => hash("sha256", credential);
const { privateKey } = await generateKeyPair("ES256");
const LIFETIME = 30 * 24 * 60 * 60;
const client = { id: "bench", grants: ["refresh_token"] };
const secret = randomBytes(32).toString("base64url");
const refreshToken = randomBytes(32).toString("base64url");
const keptSecret = kept(secret);
const key = (token: string) => `bench-oauth2-server:${kept(token)}`;
await redis.set(
  key(refreshToken),
  JSON.stringify({ user: "shop", scope: ["responses:read"] }),
  "EX",
  LIFETIME,
);

const server = new OAuth2Server({
  alwaysIssueNewRefreshToken: false,
  accessTokenLifetime: 900,
  model: {
    getClient: async (id: string, presented: string) =>
      id === client.id && kept(presented) === keptSecret ? client : null,
    getRefreshToken: async (token: string) => {
      const stored = await redis.getex(key(token), "EX", LIFETIME);
      if (stored === null) return null;
      const { user, scope } = JSON.parse(stored);
      return { refreshToken: token, client, user: { id: user }, scope };
    },
    generateAccessToken: async (_client: unknown, user: { id: string }, scope: string[]) =>
      await new SignJWT({ client_id: client.id, scope: scope.join(" ") })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "bench" })
        .setIssuer("http://127.0.0.1")
        .setAudience("https://api.bench.example")
        .setSubject(user.id)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime("15 minutes")
        .sign(privateKey),
    saveToken: async (token: object, _client: unknown, user: unknown) => ({
      ...token,
      client,
      user,
    }),
    revokeToken: async () => true,
    getAccessToken: async () => null,
  } as never,
});

const app = Fastify();
app.addContentTypeParser(
  "application/x-www-form-urlencoded",
  { parseAs: "string" },
  (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
);
app.post("/token", async (request, reply) => {
  const { headers, method, query, body } = request;
  const answer = new OAuth2Server.Response();
  await server.token(
    new OAuth2Server.Request({
      headers,
      method,
      query: query as object,
      body: body as object,
    } as never),
    answer,
  );
  return reply
    .code(answer.status ?? 500)
    .headers(answer.headers ?? {})
    .send(answer.body);
});
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as { port: number };
console.log(
  JSON.stringify({
    url: `http://127.0.0.1:${port}/token`,
    clientId: client.id,
    secret,
    refreshTokens: [refreshToken],
  }),
);
