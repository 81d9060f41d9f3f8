import { randomBytes } from "node:crypto";
import { type Client, hashCredential } from "@partner-connect/directory";
import { suiteRedis } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { TEST_CLIENT } from "../testing/client.ts";
import { authorizationCodes } from "./authorization-codes.ts";
import { createProvider, redisAdapter } from "./provider.ts";

const redis = await suiteRedis();
const stored = {
  redis,
  refreshTokenTtl: 300,
  clients: { find: async (id: string) => CLIENTS[id] ?? null },
};
const adapters = redisAdapter(stored);
const [adapter, tokens, clients] = [
  adapters("AuthorizationCode"),
  adapters("RefreshToken"),
  adapters("Client"),
];

const CLIENTS: Record<string, Client> = {
  active: { ...TEST_CLIENT, clientId: "active" },
  disabled: { ...TEST_CLIENT, clientId: "disabled", status: "disabled" },
  refreshing: { ...TEST_CLIENT, clientId: "refreshing", grantTypes: ["refresh_token"] },
  local: { ...TEST_CLIENT, clientId: "local", redirectUris: ["https://localhost:8443/callback"] },
};

const newId = () => randomBytes(32).toString("base64url");
const keyOf = (id: string) => `oauth:AuthorizationCode:${hashCredential(id).toString("base64url")}`;

test("a record of oidc-provider is found by its id until it expires", async () => {
  const id = newId();
  await adapter.upsert(id, { jti: id, kind: "AuthorizationCode", scope: "responses:read" }, 300);
  expect(await adapter.find(id)).toEqual({
    jti: id,
    kind: "AuthorizationCode",
    scope: "responses:read",
  });
  const left = await redis.ttl(keyOf(id));
  expect([left > 290, left <= 300]).toEqual([true, true]);
  expect(await adapter.find(newId())).toBeUndefined();
});

test("a second write to a redeemed record changes neither the payload nor the expiry a day after the redemption", async () => {
  const id = newId();
  await adapter.upsert(id, { jti: id, scope: "first" }, 300);
  await adapter.consume(id);
  await adapter.upsert(id, { jti: id, scope: "second" }, 300);
  expect(await adapter.find(id)).toEqual({ jti: id, scope: "first" });
  expect(await redis.ttl(keyOf(id))).toBeGreaterThan(80_000);
});

test("a record of oidc-provider is encrypted by its id, so reading the record under another id fails", async () => {
  const [id, other] = [newId(), newId()];
  await adapter.upsert(id, { jti: id, redirectUri: "https://partner.example/callback" }, 300);
  const sealed = (await redis.get(keyOf(id))) ?? "";
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("partner");
  await redis.set(keyOf(other), sealed);
  await expect(adapter.find(other)).rejects.toThrow(
    "a record of AuthorizationCode can't be opened with its id",
  );
  await redis.del(keyOf(other));
});

const keyOfToken = (id: string) => `oauth:RefreshToken:${hashCredential(id).toString("base64url")}`;

test("reading a refresh token's record, which doesn't contain the token, restarts the TTL", async () => {
  const id = newId();
  await tokens.upsert(
    id,
    { jti: id, clientId: "active", grantId: "g", scope: "responses:read", exp: 1 },
    20,
  );
  expect(await redis.ttl(keyOfToken(id))).toBeLessThanOrEqual(20);
  expect(await tokens.find(id)).toEqual({ jti: id, clientId: "active", grantId: "g" });
  expect(await redis.ttl(keyOfToken(id))).toBeGreaterThan(290);
  expect(await redis.get(keyOfToken(id))).not.toContain(id);
});

test("oidc-provider finds the directory's clients in their current state", async () => {
  expect(await clients.find("active")).toMatchObject({
    client_id: "active",
    response_types: ["code"],
  });
  expect(await clients.find("disabled")).toMatchObject({ client_id: "disabled" });
  expect(await clients.find("nobody")).toBeUndefined();
});

test("the code of a committed approval is issued even if the client has changed since, unless the client was deleted", async () => {
  const provider = createProvider({
    ...stored,
    issuer: "https://connect.example",
    authorizationCodeTtl: 300,
  });
  const codes = authorizationCodes(provider);
  const redirectUri = "https://partner.example/callback";
  // Regression: oidc-provider refused every code of a client that has https on a loopback host.
  for (const clientId of ["active", "local", "disabled", "refreshing"]) {
    const [code, grantId] = [newId(), newId()];
    const ids = { clientId, redirectUri, codeChallenge: "x".repeat(43), shopId: "shop", grantId };
    await codes.issue({ ...ids, scope: ["responses:read"], code, ttl: 300 });
    expect(await codes.find(code)).toMatchObject(ids);
  }
  const ids = { clientId: "nobody", redirectUri, codeChallenge: "x".repeat(43), shopId: "shop" };
  const [code, grantId] = [newId(), newId()];
  expect(await codes.issue({ ...ids, grantId, scope: ["responses:read"], code, ttl: 300 })).toBe(
    false,
  );
});
