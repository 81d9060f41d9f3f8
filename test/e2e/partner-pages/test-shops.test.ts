import { beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { basic, partner } from "../../harness/actors/partner.ts";
import type { SurveyRecord } from "../../harness/actors/survey.ts";
import { createTestShop, pressOnTestShop } from "../../harness/actors/test-shop.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let people: Onboarded;
let shop: ShopRecord;

beforeAll(async () => {
  people = await onboard(stack);
  const { client, merchant } = people;
  await operator(stack, ["partner", "add", "--client", client.clientId, "--email", merchant.email]);
  shop = await createTestShop(stack, client, merchantBrowser(merchant));
});

test("a partner changes a test shop's responses and ends its connection, and its API sees each of it", async () => {
  const { client, merchant } = people;
  const [app, browser] = [partner(stack, client), merchantBrowser(merchant)];
  let { accessToken, refreshToken } = await app.connect(browser, shop);
  const press = (button: string) => pressOnTestShop(stack, client, browser, shop, button);
  const read = async (path: string) => (await app.call(path, accessToken)).json().data;
  const ask = async (path: string) =>
    (await send(`${stack.base_url}/oauth/api/${path}`, { headers: { authorization: basic(client) } })).json();
  const statuses = async () => (await ask("connections")).data.map(({ status }: { status: string }) => status);
  const refresh = async () => {
    const { status, json } = await app.refresh(refreshToken);
    return [status, json().error_description];
  };

  // Each minute two responses come, one is recategorized, and one or two are deleted, too.
  const newest = () => read("/api/responses?limit=1");
  await expect.poll(newest, { timeout: 30_000 }).toHaveLength(1);
  const [before] = await newest();
  await press("Add 20 responses");
  const { cursor } = await ask("changes?wait=5");
  const added: SurveyRecord[] = await read(`/api/responses?limit=1000&inserted_at_min=${before.inserted_at}`);
  expect(added.length).toBeGreaterThan(18);
  const since = added[0]?.updated_at ?? "";
  await press("Recategorize 5");
  const changed: SurveyRecord[] = await read(`/api/responses?limit=1000&updated_at_min=${since}`);
  expect(changed.filter((record) => record["response"] !== record["original_response"])).not.toEqual([]);

  await press("Delete one");
  expect(await read("/api/deleted-responses?limit=1000")).not.toEqual([]);
  const kinds = async () =>
    (await ask(`changes?wait=5&after=${cursor}`)).data.map(({ kind }: { kind: string }) => kind);
  await expect.poll(kinds).toContain("deletions");

  await press("Disable");
  expect(await refresh()).toEqual([400, "grant revoked"]);
  expect((await app.call("/api/responses", accessToken)).status).toBe(403);
  expect(await statuses()).toEqual(["disabled"]);
  await press("Enable");
  accessToken = (await app.refresh(refreshToken)).json().access_token;
  expect((await app.call("/api/responses", accessToken)).status).toBe(200);

  await press("Expire");
  expect(await refresh()).toEqual([400, "refresh token expired"]);
  expect(await statuses()).toEqual(["expired"]);

  ({ accessToken, refreshToken } = await app.connect(browser, shop));
  await press("Revoke");
  expect(await refresh()).toEqual([400, "grant revoked"]);
  expect((await app.call("/api/responses", accessToken)).status).toBe(403);
  expect(await statuses()).toEqual(["revoked"]);

  const { id } = await operator(stack, ["merchant", "show", merchant.email]);
  const records = await operator(stack, ["audit", "list", "--shop", shop.id, "--actor", `merchant:${id}`]);
  const actions = records.map(({ action }: { action: string }) => action);
  for (const action of ["shop_change_test", "response_import", "response_recategorize", "response_delete"])
    expect(actions).toContain(action);
  for (const action of ["disable", "enable", "expire", "revoke"]) expect(actions).toContain(action);
}, 60_000);
