import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { importRecords } from "../../harness/actors/survey.ts";
import { getPage, idsOf, walkPages } from "../../harness/actors/walk.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let shop: ShopRecord;
let app: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  const onboarded = await onboard(stack);
  shop = onboarded.shop;
  app = partner(stack, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
});

const DAY = 86_400_000;

describe("GET /api/connection", () => {
  test("says which shop was connected, until that ends", async () => {
    const asked = await app.connect(browser, shop, { scope: "responses:read sources:write" });
    const answer = await app.call("/api/connection", asked.accessToken);
    const [listed] = await operator(stack, ["connection", "list", "--shop", shop.id]);
    const connection = answer.json();
    expect([answer.status, connection]).toEqual([
      200,
      {
        id: listed.id,
        shop: { id: shop.id, name: shop.name, domain: null, plan: "standard" },
        client_id: app.client.clientId,
        scope: "responses:read",
        connected_at: listed.connected_at,
        last_used_at: listed.last_used_at,
        expires_at: new Date(Date.parse(listed.last_used_at) + 30 * DAY).toISOString(),
      },
    ]);
    await operator(stack, ["connection", "revoke", listed.id, "--yes"]);
    const after = await app.call("/api/connection", asked.accessToken);
    expect([after.status, after.json()]).toEqual([403, { error: "forbidden" }]);
  });

  test("a scope taken away is told with the next token, also when none is left", async () => {
    const { client, merchant, advancedShop } = await onboard(stack);
    const other = partner(stack, client);
    const { refreshToken } = await other.connect(merchantBrowser(merchant), advancedShop, { scope: "sources:write" });
    await operator(stack, ["client", "update", client.clientId, "--scope", "responses:read", "--yes"]);
    await expect.poll(async () => (await other.refresh(refreshToken)).json().scope, { timeout: 5000 }).toBe("");
    const { access_token } = (await other.refresh(refreshToken)).json();
    const answer = await other.call("/api/connection", access_token);
    expect([answer.status, answer.json()]).toMatchObject([200, { shop: { id: advancedShop.id }, scope: "" }]);
    expect((await other.call("/api/responses", access_token)).json()).toEqual({ error: "insufficient_scope" });
  });
});

describe("GET /api/deleted-responses", () => {
  test("a partner who follows it deletes what the shop deleted", async () => {
    const { client, merchant, shop: own } = await onboard(stack);
    const { key } = await onboardApiKey(stack, own);
    const reader = partner(stack, client);
    const { accessToken } = await reader.connect(merchantBrowser(merchant), own);
    await importRecords(
      stack,
      "response",
      own,
      Array.from({ length: 5 }, (_, index) => ({ id: `r${index}`, question: "How?", response: "TV" })),
    );
    const remove = (...ids: readonly string[]) =>
      operator(stack, ["response", "delete", "--shop", own.id, ...ids.flatMap((id) => ["--id", id]), "--yes"]);
    await remove("r4");
    await remove("r1", "r0");
    const list = `${stack.base_url}/api/deleted-responses?limit=1`;
    const pages = await walkPages(list, `Bearer ${accessToken}`);
    expect(idsOf(pages)).toEqual(["r4", "r0", "r1"]);
    expect(idsOf(await walkPages(list, key))).toEqual(["r4", "r0", "r1"]);
    expect(idsOf([await getPage(`${stack.base_url}/api/responses`, key)]).toSorted()).toEqual(["r2", "r3"]);
    const byHost = await send(`${stack.api_url}/api/deleted-responses`, { headers: { authorization: key } });
    expect(byHost.json().data).toHaveLength(3);
  });
});
