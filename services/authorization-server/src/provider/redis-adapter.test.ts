import { randomBytes } from "node:crypto";
import { hashCredential } from "@partner-connect/directory";
import { connectRedis, type Redis } from "@partner-connect/service-runtime";
import type { Adapter } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redisAdapter } from "./redis-adapter.ts";

let redis: Redis;
let adapter: Adapter;

beforeAll(async () => {
  redis = connectRedis(process.env["TEST_REDIS_URL"] ?? "", "test");
  await new Promise((resolve) => redis.once("ready", resolve));
  adapter = redisAdapter(redis)("AuthorizationCode");
});
afterAll(() => redis.disconnect());

const newId = () => randomBytes(32).toString("base64url");
const keyOf = (id: string) => `oauth:AuthorizationCode:${hashCredential(id).toString("base64url")}`;

describe("a record of the library", () => {
  test("comes back to who presents its id, for as long as it lives", async () => {
    const id = newId();
    await adapter.upsert(id, { jti: id, kind: "AuthorizationCode", scope: "responses:read" }, 300);
    expect(await adapter.find(id)).toEqual({ jti: id, kind: "AuthorizationCode", scope: "responses:read" });
    const left = await redis.ttl(keyOf(id));
    expect([left > 290, left <= 300]).toEqual([true, true]);
    expect(await adapter.find(newId())).toBeUndefined();
  });

  test("is written once: again it changes nothing, neither its life nor that it was redeemed", async () => {
    const id = newId();
    await adapter.upsert(id, { jti: id, scope: "first" }, 300);
    await adapter.consume(id);
    await adapter.upsert(id, { jti: id, scope: "second" }, 300);
    expect(await adapter.find(id)).toEqual({ jti: id, scope: "first", consumed: true });
    expect(await redis.ttl(keyOf(id))).toBeGreaterThan(80_000);
  });

  test("can be read in Redis by nobody, and moved to another id it is a fault, no record [decision.dump]", async () => {
    const [id, other] = [newId(), newId()];
    await adapter.upsert(id, { jti: id, redirectUri: "https://partner.example/callback" }, 300);
    const stored = await redis.hgetall(keyOf(id));
    expect(Object.keys(stored)).toEqual(["payload"]);
    expect(Buffer.from(stored["payload"] ?? "", "base64url").toString("latin1")).not.toContain("partner");
    await redis.hset(keyOf(other), stored);
    await expect(adapter.find(other)).rejects.toThrow("a record of AuthorizationCode can't be opened with its id");
    await redis.del(keyOf(other));
  });
});
