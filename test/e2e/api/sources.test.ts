import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { callApi, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";

const stack = mainStack();
const endpoint = `${stack.base_url}/api/sources`;
let bearer: string;
let readOnly: string;
let standard: string;
let key: string;
let standardKey: string;

beforeAll(async () => {
  const { client, merchant, shop, advancedShop } = await onboard(stack);
  const [apiKey, ofStandard, other] = await Promise.all([
    onboardApiKey(stack, advancedShop),
    onboardApiKey(stack, shop),
    onboard(stack),
  ]);
  [key, standardKey] = [apiKey.key, ofStandard.key];
  const [app, browser] = [partner(stack, client), merchantBrowser(merchant)];
  bearer = `Bearer ${(await app.connect(browser, advancedShop, { scope: BOTH })).accessToken}`;
  standard = `Bearer ${(await app.connect(browser, shop, { scope: BOTH })).accessToken}`;
  const reader = partner(stack, other.client);
  readOnly = `Bearer ${(await reader.connect(browser, advancedShop)).accessToken}`;
});

const create = (source: unknown, authorization = bearer): Promise<Answer> => callApi(endpoint, authorization, source);
const podcast = () => ({ name: "The Daily Hat", type: "podcast", external_id: randomUUID() });

describe("POST sources", () => {
  test("makes a source and answers 201 with the record", async () => {
    const source = { ...podcast(), url: "https://hats.example/pod", aliases: ["Daily Hat", "hat podcast 🎩"] };
    const { status, json } = await create(source);
    expect([status, json()]).toEqual([
      201,
      {
        ...source,
        id: expect.stringMatching(/^src_/),
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test("the same external_id again answers 200 with the one there is, updated", async () => {
    const source = podcast();
    const first = (await create(source)).json();
    const again = await create({ ...source, name: "The Weekly Hat" });
    expect([again.status, again.json().id, again.json().name]).toEqual([200, first.id, "The Weekly Hat"]);
    expect(again.json().inserted_at).toBe(first.inserted_at);
  });

  test("of many at once with one external_id there is one source", async () => {
    const source = podcast();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(source)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
  });

  test.each([
    ["name", {}],
    ["name", { name: "" }],
    ["name", { name: 5 }],
    ["name", { name: "x".repeat(201) }],
    ["name", { name: "a\u0000b" }],
    ["type", { type: "radio" }],
    ["type", { type: "constructor" }],
    ["type", { type: null }],
    ["url", { url: "javascript:alert(1)" }],
    ["url", { url: "not a url" }],
    ["url", { url: [] }],
    ["external_id", { external_id: 5 }],
    ["external_id", { external_id: "" }],
    ["aliases", { aliases: "one" }],
    ["aliases", { aliases: [1] }],
    ["aliases", { aliases: Array(101).fill("x") }],
  ])("a wrong %s is 400 and names it: %j", async (param, wrong) => {
    const source = Object.keys(wrong).length === 0 ? { type: "podcast" } : { ...podcast(), ...wrong };
    const { status, json } = await create(source);
    expect([status, json().error, json().param]).toEqual([400, "invalid_request", param]);
  });

  test.each(["[]", '"text"', "null", "5", "{", "", '{"name":"a","name":'])("a body of %s is 400", async (body) => {
    const headers = { authorization: bearer, "content-type": "application/json" };
    const { status, json } = await send(endpoint, { method: "POST", headers, body });
    expect([status, json().error]).toEqual([400, "invalid_request"]);
  });

  test("unknown fields are ignored, and names that every object has are ordinary values", async () => {
    const { status, json } = await create({
      name: "constructor",
      type: "other",
      toString: "x",
      id: "mine",
      shop_id: "x",
    });
    expect(status).toBe(201);
    expect(json()).toMatchObject({ name: "constructor", type: "other", id: expect.stringMatching(/^src_/) });
    expect(json()).not.toHaveProperty("shop_id");
  });

  test("a field that would change what an object is makes the body 400", async () => {
    const headers = { authorization: bearer, "content-type": "application/json" };
    const body = '{"name":"Radio","type":"other","__proto__":{"type":"tv"}}';
    expect((await send(endpoint, { method: "POST", headers, body })).status).toBe(400);
  });

  test("another content type is 415 and an oversized body 413", async () => {
    const text = { authorization: bearer, "content-type": "text/plain" };
    expect((await send(endpoint, { method: "POST", headers: text, body: "x" })).status).toBe(415);
    const answer = await create({ ...podcast(), filler: "x".repeat(2_000_000) });
    expect([answer.status, answer.json()]).toEqual([413, { error: "payload_too_large" }]);
  });
});

describe("Idempotency-Key", () => {
  const withKey = (body: object, idempotencyKey: string, authorization = bearer) => {
    const headers = { authorization, "content-type": "application/json", "idempotency-key": idempotencyKey };
    return send(endpoint, { method: "POST", headers, body: JSON.stringify(body) });
  };

  test("a repeated request is answered as the first was, and makes nothing new, also when many come at once", async () => {
    const [idempotencyKey, source] = [randomUUID(), { name: "Once", type: "event" }];
    const answers = await Promise.all(Array.from({ length: 10 }, () => withKey(source, idempotencyKey)));
    answers.push(await withKey(source, idempotencyKey));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
  });

  test("belongs to its caller: another shop's same key is another", async () => {
    const [idempotencyKey, source] = [randomUUID(), { name: "Once", type: "event" }];
    const mine = await withKey(source, idempotencyKey);
    const theirs = await withKey(source, idempotencyKey, key);
    expect(theirs.json().id).not.toBe(mine.json().id);
  });

  test("with another body is refused", async () => {
    const idempotencyKey = randomUUID();
    await withKey({ name: "One", type: "event" }, idempotencyKey);
    const answer = await withKey({ name: "Two", type: "event" }, idempotencyKey);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe("who may", () => {
  const INSUFFICIENT = [403, { error: "insufficient_scope" }];
  const may = async (authorization: string) => {
    const { status, json } = await create(podcast(), authorization);
    return status === 201 ? [201] : [status, json()];
  };

  test("sources:write is required, and it is the advanced attribution plan's", async () => {
    expect(await may(bearer)).toEqual([201]);
    expect(await may(readOnly)).toEqual(INSUFFICIENT);
    expect(await may(standard)).toEqual(INSUFFICIENT);
  });

  test("an API key may what its shop's plan has", async () => {
    expect(await may(key)).toEqual([201]);
    expect(await may(standardKey)).toEqual(INSUFFICIENT);
  });

  test("a change of plan counts from the next request on, for keys and tokens", async () => {
    const { client, merchant, advancedShop } = await onboard(stack);
    const [app, browser] = [partner(stack, client), merchantBrowser(merchant)];
    const { accessToken, refreshToken } = await app.connect(browser, advancedShop, { scope: BOTH });
    const { key } = await onboardApiKey(stack, advancedShop);
    expect([await may(`Bearer ${accessToken}`), await may(key)]).toEqual([[201], [201]]);
    await operator(stack, ["shop", "set-plan", advancedShop.id, "standard"]);
    expect([await may(`Bearer ${accessToken}`), await may(key)]).toEqual([INSUFFICIENT, INSUFFICIENT]);
    expect((await app.refresh(refreshToken)).json().scope).toBe("responses:read");
    await operator(stack, ["shop", "set-plan", advancedShop.id, "advanced_attribution"]);
    expect((await app.refresh(refreshToken)).json().scope.split(" ").sort()).toEqual(BOTH.split(" "));
    expect([await may(`Bearer ${accessToken}`), await may(key)]).toEqual([[201], [201]]);
  });

  test("a scope that the plan lacks is not granted, and a shop with nothing left to grant can't be chosen", async () => {
    const { client, merchant, shop, advancedShop } = await onboard(stack);
    const [app, browser] = [partner(stack, client), merchantBrowser(merchant)];
    expect((await app.connect(browser, shop, { scope: BOTH })).scope).toBe("responses:read");
    const page = await browser.openConsent(app.attempt({ scope: "sources:write" }).url);
    const choices = page.forms.flatMap(({ inputs }) => inputs).filter(({ type }) => type === "radio");
    expect(choices.map(({ label, disabled }) => [label, disabled]).sort()).toEqual(
      [
        [shop.name, true],
        [advancedShop.name, false],
      ].sort(),
    );
  });
});
