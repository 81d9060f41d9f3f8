import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";

const stack = mainStack();
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  onboarded = await onboard(stack);
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});

const newShop = () => onboardShop(stack, onboarded.merchant, "advanced_attribution");

async function connectionOf(shop: ShopRecord) {
  const [found] = await operator(stack, ["connection", "list", "--shop", shop.id, "--client", app.client.clientId]);
  return found;
}

async function change(verb: "revoke" | "disable" | "enable", shop: ShopRecord): Promise<void> {
  await operator(stack, ["connection", verb, (await connectionOf(shop)).id]);
}

const refusal = (answer: Answer) => [answer.status, answer.json().error, answer.json().error_description];
const REVOKED = [400, "invalid_grant", "grant revoked"];

async function callStatus(accessToken: string, path = "/api/responses"): Promise<unknown[]> {
  const { status, json } = await app.call(path, accessToken);
  return status === 200 ? [200] : [status, json()];
}
const FORBIDDEN = [403, { error: "forbidden" }];
const INSUFFICIENT = [403, { error: "insufficient_scope" }];

describe("connected", () => {
  test("one authorization connects exactly one shop, and the access token says which", async () => {
    const [first, second] = await Promise.all([newShop(), newShop()]);
    const tokens = [await app.connect(browser, first), await app.connect(browser, second)];
    const shops = tokens.map(({ accessToken }) => {
      const claims = JSON.parse(Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString());
      return claims.sub;
    });
    expect(shops).toEqual([first.id, second.id]);
    expect(await operator(stack, ["connection", "list", "--shop", first.id])).toMatchObject([
      { client_id: app.client.clientId, shop_id: first.id, status: "connected", scope: "responses:read" },
    ]);
  });

  test("connections of other shops and other clients are untouched by what happens to one", async () => {
    const [shop, otherShop, other] = await Promise.all([newShop(), newShop(), onboard(stack)]);
    const otherApp = partner(stack, other.client);
    const tokens = await app.connect(browser, shop);
    const ofOtherShop = await app.connect(browser, otherShop);
    const ofOtherApp = await otherApp.connect(browser, shop);
    await change("revoke", shop);
    expect(refusal(await app.refresh(tokens.refreshToken))).toEqual(REVOKED);
    expect((await app.refresh(ofOtherShop.refreshToken)).status).toBe(200);
    expect((await otherApp.refresh(ofOtherApp.refreshToken)).status).toBe(200);
  });
});

describe("revoked", () => {
  test("refresh fails with 'grant revoked' and API calls with 403 forbidden, at once", async () => {
    const shop = await newShop();
    const { accessToken, refreshToken } = await app.connect(browser, shop);
    expect(await callStatus(accessToken)).toEqual([200]);
    await change("revoke", shop);
    expect(await Promise.all([1, 2, 3].map(() => callStatus(accessToken)))).toEqual([FORBIDDEN, FORBIDDEN, FORBIDDEN]);
    for (const answer of [await app.refresh(refreshToken), await app.refresh(refreshToken)]) {
      expect(refusal(answer)).toEqual(REVOKED);
    }
  });

  test("a code of before the revocation is refused with 'grant revoked'", async () => {
    const shop = await newShop();
    await app.connect(browser, shop);
    const obtained = await app.obtainCode(browser, shop);
    await change("revoke", shop);
    expect(refusal(await app.exchange(obtained))).toEqual(REVOKED);
  });

  test("forbidden comes before a missing scope and before wrong parameters", async () => {
    const shop = await newShop();
    const { accessToken } = await app.connect(browser, shop, { scope: "sources:write" });
    expect(await callStatus(accessToken, "/api/responses?limit=0")).toEqual(INSUFFICIENT);
    await change("revoke", shop);
    expect(await callStatus(accessToken, "/api/responses?limit=0")).toEqual(FORBIDDEN);
  });

  test("connecting again makes new tokens work, and what was revoked stays dead", async () => {
    const shop = await newShop();
    const before = await app.connect(browser, shop);
    await change("revoke", shop);
    const after = await app.connect(browser, shop);
    expect(await callStatus(after.accessToken)).toEqual([200]);
    expect((await app.refresh(after.refreshToken)).status).toBe(200);
    expect(await callStatus(before.accessToken)).toEqual(FORBIDDEN);
    const answer = await app.refresh(before.refreshToken);
    expect([answer.status, answer.json().error]).toEqual([400, "invalid_grant"]);
    expect(await connectionOf(shop)).toMatchObject({ status: "connected" });
  });
});

describe("disabled", () => {
  test("refresh fails with 'grant revoked' and API calls with 403 forbidden, until it is enabled again", async () => {
    const shop = await newShop();
    const { accessToken, refreshToken } = await app.connect(browser, shop);
    await change("disable", shop);
    expect(await callStatus(accessToken)).toEqual(FORBIDDEN);
    expect(refusal(await app.refresh(refreshToken))).toEqual(REVOKED);
    await change("enable", shop);
    const answer = await app.refresh(refreshToken);
    expect(answer.status).toBe(200);
    expect(await callStatus(answer.json().access_token)).toEqual([200]);
  });
});

describe("a disabled client", () => {
  test("its access tokens are 403 forbidden at once, until it is enabled again", async () => {
    const other = await onboard(stack);
    const otherApp = partner(stack, other.client);
    const { accessToken } = await otherApp.connect(merchantBrowser(other.merchant), other.shop);
    const call = async () => [(await otherApp.call("/api/responses", accessToken)).status];
    expect(await call()).toEqual([200]);
    await operator(stack, ["client", "disable", other.client.clientId]);
    expect(await call()).toEqual([403]);
    expect((await otherApp.call("/api/responses", accessToken)).json()).toEqual({ error: "forbidden" });
    await operator(stack, ["client", "enable", other.client.clientId]);
    expect(await call()).toEqual([200]);
  });
});

describe("the merchant runs the flow again for the same shop", () => {
  test("the scope is exactly the newly approved set, wider or narrower", async () => {
    const shop = await newShop();
    await app.connect(browser, shop, { scope: "responses:read" });
    for (const scope of [BOTH, "sources:write", "responses:read"]) {
      const tokens = await app.connect(browser, shop, { scope });
      expect(tokens.scope.split(" ").sort()).toEqual(scope.split(" "));
      expect((await app.refresh(tokens.refreshToken)).json().scope.split(" ").sort()).toEqual(scope.split(" "));
      expect((await connectionOf(shop)).scope.split(" ").sort()).toEqual(scope.split(" "));
    }
  });

  test("refresh tokens issued before stop working at the approval, and the new one works", async () => {
    const shop = await newShop();
    const before = await app.connect(browser, shop);
    const obtained = await app.obtainCode(browser, shop);
    const answer = await app.refresh(before.refreshToken);
    expect([answer.status, answer.json().error]).toEqual([400, "invalid_grant"]);
    expect(["grant revoked", "refresh token expired"]).not.toContain(answer.json().error_description);
    const { refresh_token } = (await app.exchange(obtained)).json();
    expect((await app.refresh(refresh_token)).status).toBe(200);
    expect((await app.refresh(before.refreshToken)).json().error).toBe("invalid_grant");
  });

  test("an older access token keeps only the scopes that it and the connection have", async () => {
    const shop = await newShop();
    const before = await app.connect(browser, shop, { scope: BOTH });
    const readOnly = await app.connect(browser, shop, { scope: "responses:read" });
    const post = (accessToken: string) => app.call("/api/sources", accessToken, { name: "Radio", type: "other" });
    expect(await callStatus(before.accessToken)).toEqual([200]);
    await app.connect(browser, shop, { scope: "sources:write" });
    expect(await callStatus(before.accessToken)).toEqual(INSUFFICIENT);
    expect(await callStatus(readOnly.accessToken)).toEqual(INSUFFICIENT);
    expect((await post(before.accessToken)).status).toBe(201);
    expect((await post(readOnly.accessToken)).json()).toEqual({ error: "insufficient_scope" });
  });
});

describe("the merchant's connected apps", () => {
  test("list what is connected with which shop; Disconnect revokes it", async () => {
    const shop = await newShop();
    const { accessToken, refreshToken } = await app.connect(browser, shop, { scope: "responses:read" });
    const list = await browser.open(`${stack.base_url}/oauth/connections`);
    const section = list.answer?.text.split("<section").find((part) => part.includes(shop.name)) ?? "";
    expect(section).toContain(app.client.name);
    const { id } = await connectionOf(shop);
    const form = list.forms.find(({ action }) => action.includes(id));
    const confirm = await browser.press({ ...list, forms: form ? [form] : [] }, "Disconnect");
    expect(confirm.answer?.status).toBe(200);
    expect(await callStatus(accessToken)).toEqual([200]);
    const done = await browser.press(confirm, "Disconnect");
    expect(done.answer?.status).toBe(200);
    expect(await callStatus(accessToken)).toEqual(FORBIDDEN);
    expect(refusal(await app.refresh(refreshToken))).toEqual(REVOKED);
    expect(await connectionOf(shop)).toMatchObject({ status: "revoked" });
    expect(
      (await browser.open(`${stack.base_url}/oauth/connections`)).forms.some(({ action }) => action.includes(id)),
    ).toBe(false);
  });
});
