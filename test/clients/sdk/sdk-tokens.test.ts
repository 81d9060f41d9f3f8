import { inspect } from "node:util";
import type { StoredConnection } from "@partner-connect/partner-sdk";
import { beforeEach, expect, test } from "vitest";
import { onboard, onboardShop } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import {
  BATCH_PATH,
  failure,
  type SdkPartner,
  sdkPartner,
} from "../../harness/actors/sdk-partner.ts";
import { type Fault, faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { randomFaults } from "../../harness/faults/random-faults.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const MINUTE = 60_000;
const HALF_LIFE = 14 * MINUTE;

const stack = mainStack();
const proxy = await faultyProxy(stack.base_url);
let app: SdkPartner;
let connection: StoredConnection;

const onboarded = await onboard(stack);
beforeEach(async () => {
  app = sdkPartner({ stack, proxy, ...onboarded });
  connection = await app.connect(onboarded.shop);
});

const read = (by = app) => by.partnerConnect.shop(connection.id).connection();
const tokenFaults = (fault: Fault | null) =>
  proxy.choose(({ path }) => (path === BATCH_PATH ? fault : null));

test("an access token is used until a minute before its expiry, then refreshed once for all concurrent calls", async () => {
  const before = await app.tokenCalls(async () => {
    await app.clock.advance(HALF_LIFE - 1000);
    await read();
  });
  expect(before).toEqual([]);
  await app.clock.advance(2000);
  const calls = await app.tokenCalls(() => Promise.all(Array.from({ length: 50 }, () => read())));
  expect(calls.length).toBe(1);
});

test.each<[string, boolean, object]>([
  ["every refresh fails", false, { code: "unavailable", retryAfterSeconds: expect.any(Number) }],
  ["the store can't be read", true, { code: "store_failed" }],
])(
  "while %s, calls use the access token until its expiry and then throw the error",
  async (_, fails, expected) => {
    // The token is in its last minute. The server accepts it, because its clock was not moved.
    await app.clock.advance(HALF_LIFE + 1000);
    app.store.fails = fails;
    tokenFaults(fails ? null : { fault: "drop-answer" });
    expect((await read()).id).toBe(connection.id);
    await app.clock.advance(MINUTE);
    const error = await failure(read());
    expect(error).toMatchObject(expected);
    expect(inspect(error, { depth: null })).not.toMatch(/pcr_|eyJ/);
    app.store.fails = false;
    proxy.choose(null);
    expect((await read()).id).toBe(connection.id);
  },
);

test("if the token endpoint's rate limit is reached, a call throws TokenLimitReached with the wait, and the connection stays valid", async () => {
  await app.clock.advance(15 * MINUTE);
  tokenFaults({ fault: "gateway", status: 429, headers: { "retry-after": "40" } });
  const calls = await app.tokenCalls(async () => {
    expect(await failure(read())).toMatchObject({
      code: "token_limit_reached",
      connectionId: connection.id,
      retryAfterSeconds: 40,
    });
  });
  expect(calls.length).toBe(3);
  proxy.choose(null);
  expect((await read()).id).toBe(connection.id);
});

test("despite a fault in every second request, every read succeeds and the refresh token doesn't change", async () => {
  proxy.choose(randomFaults(14, 2));
  for (let round = 0; round < 20; round++) {
    await app.clock.advance(15 * MINUTE);
    expect((await read()).id).toBe(connection.id);
  }
  expect(new Set(proxy.calls.map(({ fault }) => fault)).size).toBe(7);
  expect(await app.store.get(connection.id)).toEqual(connection);
});

test("a call on a disabled or revoked connection throws OnHold or ReconnectRequired until the hold ends or the shop reconnects", async () => {
  const shop = await onboardShop(stack, onboarded.merchant);
  connection = await app.connect(shop);
  await operator(stack, ["connection", "disable", connection.id, "--yes"]);
  proxy.choose(({ path }) =>
    path.startsWith("/oauth/api/connections?") ? { fault: "gateway", status: 503 } : null,
  );
  expect(await failure(read())).toMatchObject({ code: "unavailable" });
  proxy.choose(null);
  expect(await failure(read())).toMatchObject({
    name: "OnHold",
    code: "on_hold",
    connectionId: connection.id,
  });
  await operator(stack, ["connection", "enable", connection.id]);
  await app.clock.advance(15 * MINUTE + 1);
  expect((await read()).id).toBe(connection.id);

  await operator(stack, ["connection", "revoke", connection.id, "--yes"]);
  const calls = await app.tokenCalls(async () => {
    const errors = await Promise.all([failure(read()), failure(read())]);
    errors.push(await failure(read()));
    for (const error of errors) {
      expect(error).toMatchObject({
        name: "ReconnectRequired",
        code: "reconnect_required",
        connectionId: connection.id,
        reason: "grant revoked",
        requestId: expect.any(String),
      });
    }
  });
  expect(calls.length).toBe(1);
  await app.clock.advance(15 * MINUTE + 1);
  expect((await app.tokenCalls(() => failure(read()))).length).toBe(1);

  expect((await app.connect(shop)).id).toBe(connection.id);
  expect((await read()).id).toBe(connection.id);
});

test("a call throws ReconnectRequired if its refresh token was superseded, and InvalidGrant if the token is unknown", async () => {
  const other = sdkPartner({ stack, proxy, ...onboarded });
  await other.connect(onboarded.shop);
  await app.clock.advance(15 * MINUTE);
  expect(await failure(read())).toMatchObject({
    code: "reconnect_required",
    reason: "superseded by a newer authorization",
    connectionId: connection.id,
  });
  expect((await read(other)).id).toBe(connection.id);
  await app.store.put({ ...connection, refreshToken: "pcr_none" });
  expect(await failure(read())).toMatchObject({
    code: "invalid_grant",
    connectionId: connection.id,
  });
});

test("a connection continues with a newer authorization that another process put into the same store", async () => {
  const other = sdkPartner({ stack, proxy, ...onboarded, store: app.store });
  await other.connect(onboarded.shop);
  await app.clock.advance(15 * MINUTE);
  expect((await read()).id).toBe(connection.id);
});

test("a late response to a refresh does not replace the tokens of a newer approval", async () => {
  connection = await app.connect(onboarded.advancedShop);
  await app.clock.advance(15 * MINUTE);
  const connected = Promise.withResolvers<void>();
  tokenFaults({ fault: "hold", until: connected.promise });
  const reading = read();
  // The server has answered, with a token of the connection as it was.
  await expect.poll(() => proxy.calls.at(-1)).toMatchObject({ path: BATCH_PATH, status: 200 });
  proxy.choose(null);
  await app.connect(onboarded.advancedShop, ["responses:read", "sources:write"]);
  connected.resolve();
  expect((await reading).scope).toBe("responses:read sources:write");
  const shop = app.partnerConnect.shop(connection.id);
  expect((await shop.createSource({ name: "Hat Weekly", type: "newsletter" })).name).toBe(
    "Hat Weekly",
  );
});

test("a call that lacks a scope refreshes its access token once a minute, and succeeds once the plan has the scope", async () => {
  const shop = await onboardShop(stack, onboarded.merchant, "advanced_attribution");
  const { id } = await app.connect(shop, ["responses:read", "sources:write"]);
  const changePlan = (plan: string) => operator(stack, ["shop", "set-plan", shop.id, plan]);
  const create = () =>
    app.partnerConnect.shop(id).createSource({ name: "Hat Weekly", type: "newsletter" });
  await changePlan("standard");
  await app.clock.advance(MINUTE);
  const expected = { code: "insufficient_scope", scope: "sources:write" };
  const calls = await app.tokenCalls(async () => {
    for (let round = 0; round < 3; round++) expect(await failure(create())).toMatchObject(expected);
  });
  expect(calls.length).toBe(1);
  await changePlan("advanced_attribution");
  await app.clock.advance(MINUTE);
  tokenFaults({ fault: "gateway", status: 400 });
  expect(await failure(create())).toMatchObject(expected);
  proxy.choose(null);
  await changePlan("standard");
  expect(await failure(create())).toMatchObject(expected);
  await changePlan("advanced_attribution");
  await app.clock.advance(MINUTE);
  const created = await Promise.all([create(), create(), create()]);
  expect(created.map((source) => source.name)).toEqual(Array(3).fill("Hat Weekly"));
});

test("after forget(), the store has no tokens of the connection, and its calls throw UnknownConnection", async () => {
  await app.partnerConnect.forget(connection.id);
  expect(await app.store.get(connection.id)).toBeNull();
  const calls = await app.tokenCalls(async () => {
    expect(await failure(read())).toMatchObject({
      code: "unknown_connection",
      connectionId: connection.id,
    });
  });
  expect(calls).toEqual([]);
});
