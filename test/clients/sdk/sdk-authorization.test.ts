import { inspect } from "node:util";
import type { StoredConnection } from "@partner-connect/partner-sdk";
import { beforeEach, expect, test } from "vitest";
import { onboard } from "../../harness/actors/onboarding.ts";
import {
  type Authorized,
  failure,
  type SdkPartner,
  sdkPartner,
  TOKEN_PATH,
} from "../../harness/actors/sdk-partner.ts";
import { type Fault, faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const proxy = await faultyProxy(stack.base_url);
let app: SdkPartner;

const onboarded = await onboard(stack);
beforeEach(() => {
  app = newApp();
});

const newApp = (store?: SdkPartner["store"]) =>
  sdkPartner({ stack, proxy, ...onboarded, ...(store && { store }) });
const complete = (authorized: Authorized, by = app) =>
  by.partnerConnect.completeAuthorization(...authorized);
const listed = async (): Promise<StoredConnection[]> => await app.store.list();

test("completing an authorization returns and stores the connection with its shop", async () => {
  const connection = await app.connect(onboarded.advancedShop, ["responses:read", "sources:write"]);
  const { id, name, plan } = onboarded.advancedShop;
  expect(connection).toEqual({
    id: expect.stringMatching(/^con_/),
    shop: { id, name, domain: null, plan },
    scope: "responses:read sources:write",
    refreshToken: expect.stringMatching(/^pcr_/),
    connectedAt: expect.stringMatching(/^20.*Z$/),
  });
  expect(await listed()).toEqual([connection]);
  expect(JSON.parse(JSON.stringify(connection))).toEqual(connection);
});

test("completing an authorization succeeds despite a lost request, a gateway's 503 and a doubled request", async () => {
  const busy: Fault = { fault: "gateway", status: 503, headers: { "retry-after": "7" } };
  proxy.chooseInTurn(
    [{ fault: "drop-request" }, busy, { fault: "double", answer: "first" }],
    TOKEN_PATH,
  );
  const { id } = await app.connect(onboarded.shop);
  expect((await app.partnerConnect.shop(id).connection()).id).toBe(id);
});

test.each<[string, Fault]>([
  ["lost", { fault: "drop-answer" }],
  ["cut off", { fault: "cut", afterBytes: 400 }],
])(
  "if the response with the tokens is %s, AnswerLost is thrown, no token is stored, and a new authorization works",
  async (_, fault) => {
    proxy.chooseInTurn([fault], TOKEN_PATH);
    expect(await failure(app.connect(onboarded.shop))).toMatchObject({
      name: "AnswerLost",
      code: "answer_lost",
      isTemporary: false,
    });
    expect(await listed()).toEqual([]);
    const { id } = await app.connect(onboarded.shop);
    expect((await app.partnerConnect.shop(id).connection()).id).toBe(id);
  },
);

test("while no request reaches the server, completing an authorization throws Unavailable, and a repeated call later connects", async () => {
  const authorized = await app.authorize(onboarded.shop);
  proxy.choose(({ path }) => (path === TOKEN_PATH ? { fault: "drop-request" } : null));
  expect(await failure(complete(authorized))).toMatchObject({
    code: "unavailable",
    isTemporary: true,
    retryAfterSeconds: expect.any(Number),
  });
  proxy.choose(null);
  expect((await complete(authorized)).shop.id).toBe(onboarded.shop.id);
});

test("a code whose exchange got no response within a minute is not sent again, because a replay would end the connection", async () => {
  const authorized = await app.authorize(onboarded.shop);
  proxy.choose(({ path }) => (path === TOKEN_PATH ? { fault: "drop-answer" } : null));
  expect(await failure(complete(authorized))).toMatchObject({ code: "unavailable" });
  proxy.choose(null);
  await app.clock.advance(60_000);
  const calls = await app.tokenCalls(async () => {
    expect(await failure(complete(authorized))).toMatchObject({ code: "answer_lost" });
  });
  expect(calls).toEqual([]);
});

test.each<[string, boolean, object]>([
  ["GET /api/connection gets no response", false, { code: "unavailable" }],
  ["the store fails", true, { code: "store_failed", cause: { message: "disk full" } }],
])(
  "if %s, a repeated completion stores the tokens without sending the code again",
  async (_, fails, expected) => {
    const authorized = await app.authorize(onboarded.shop);
    app.store.fails = fails;
    proxy.choose(({ path }) =>
      path === "/api/connection" && !fails ? { fault: "drop-answer" } : null,
    );
    expect(await failure(complete(authorized))).toMatchObject(expected);
    expect(await listed()).toEqual([]);
    app.store.fails = false;
    proxy.choose(null);
    expect(await app.tokenCalls(() => complete(authorized))).toEqual([]);
    expect((await listed()).map(({ shop }) => shop.id)).toEqual([onboarded.shop.id]);
  },
);

test("regression: tokens that could not be stored at first replaced the tokens of a newer approval", async () => {
  const older = await app.authorize(onboarded.shop);
  app.store.fails = true;
  expect(await failure(complete(older))).toMatchObject({ code: "store_failed" });
  app.store.fails = false;
  const newer = await app.connect(onboarded.shop);
  expect(await complete(older)).toEqual(newer);
  expect(await listed()).toEqual([newer]);
});

test("a repeated callback, concurrent or later, returns the same connection with only one exchange", async () => {
  const authorized = await app.authorize(onboarded.shop);
  const calls = await app.tokenCalls(async () => {
    const [first, second] = await Promise.all([complete(authorized), complete(authorized)]);
    expect(second).toEqual(first);
    await app.clock.advance(5 * 60_000);
    expect(await complete(authorized)).toEqual(first);
  });
  expect(calls.length).toBe(1);
});

test("if two processes complete the same callback, the later call throws InvalidGrant and the connection stays valid", async () => {
  const authorized = await app.authorize(onboarded.shop);
  const { id } = await complete(authorized);
  const error = await failure(complete(authorized, newApp(app.store)));
  expect(error).toMatchObject({ code: "invalid_grant", connectionId: null });
  expect((await app.partnerConnect.shop(id).connection()).id).toBe(id);
});

test("an exchange with a wrong secret or verifier throws InvalidClient or InvalidGrant and doesn't use up the code", async () => {
  const authorized = await app.authorize(onboarded.shop);
  const wrong = sdkPartner({
    stack,
    proxy,
    ...onboarded,
    client: { ...onboarded.client, secret: "wrong" },
  });
  expect(await failure(complete(authorized, wrong))).toMatchObject({ code: "invalid_client" });
  const [url, pending] = authorized;
  const other = { ...pending, codeVerifier: "x".repeat(43) } as typeof pending;
  expect(await failure(complete([url, other]))).toMatchObject({ code: "invalid_grant" });
  expect((await complete(authorized)).shop.id).toBe(onboarded.shop.id);
});

test("errors and printed objects of the SDK contain no secret", async () => {
  const kept = await app.connect(onboarded.shop);
  const [url, pending] = await app.authorize(onboarded.shop);
  const errors: unknown[] = [];
  for (const fault of [{ fault: "cut", afterBytes: 60 }, { fault: "drop-answer" }] as const) {
    proxy.choose(() => fault);
    errors.push(await failure(complete([url, pending])));
  }
  proxy.choose(null);
  errors.push(
    await failure(complete([url, pending], newApp())),
    await failure(complete([url, { ...pending, state: "x" } as typeof pending])),
  );
  app.store.fails = true;
  const again = await app.authorize(onboarded.shop);
  errors.push(await failure(complete(again)));
  const shown = [...errors, app.partnerConnect, app.partnerConnect.shop(kept.id), app.store]
    .map(
      (value) =>
        inspect(value, { depth: null, showHidden: true }) + String(value) + JSON.stringify(value),
    )
    .join("\n");
  const codes = [url, again[0]].map((callback) => new URL(callback).searchParams.get("code"));
  const verifiers = [pending?.codeVerifier, again[1]?.codeVerifier];
  const secrets = [onboarded.client.secret, kept.refreshToken, ...verifiers, ...codes];
  expect(secrets.every((secret) => typeof secret === "string" && secret.length > 20)).toBe(true);
  expect(secrets.filter((secret) => shown.includes(String(secret)))).toEqual([]);
  expect(shown).not.toMatch(/eyJ|pcr_/);
});
