import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { basic, partner } from "../../harness/actors/partner.ts";
import { createTestShop } from "../../harness/actors/test-shop.ts";
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
  const url = `${stack.base_url}/partner/${client.clientId}/settings/test-shops/${shop.id}`;
  const untilItSays = async (isSaid: (text: string) => boolean) => {
    for (const end = Date.now() + 30_000; !isSaid((await browser.open(url)).text); await sleep(100))
      if (Date.now() > end) expect.fail((await browser.open(url)).text);
  };
  const press = async (button: string) => {
    await browser.press(await browser.open(url), button);
    await untilItSays((text) => !text.includes("Changing responses"));
  };
  const read = async (path: string) => (await app.call(path, accessToken)).json().data;
  const feed = async (after: string) =>
    (
      await send(`${stack.base_url}/oauth/api/changes?${new URLSearchParams({ wait: "5", ...(after && { after }) })}`, {
        headers: { authorization: basic(client) },
      })
    ).json();
  const statuses = async () =>
    (await send(`${stack.base_url}/oauth/api/connections`, { headers: { authorization: basic(client) } }))
      .json()
      .data.map(({ status }: { status: string }) => status);
  const refresh = async () => {
    const { status, json } = await app.refresh(refreshToken);
    return [status, json().error_description];
  };

  await untilItSays((text) => text.includes("Ready"));
  const [newest] = await read("/api/responses?sort=inserted_at_desc&limit=1");
  await press("Add 20 responses");
  const { cursor } = await feed("");
  const added = await read(`/api/responses?sort=inserted_at_asc&starting_after=${newest.id}&limit=1000`);
  expect(added).toHaveLength(20);

  const since = added.at(-1).updated_at;
  await press("Recategorize 5");
  const changed = (await read(`/api/responses?sort=updated_at_asc&updated_at_min=${since}&limit=1000`)).filter(
    (record: { updated_at: string }) => record.updated_at > since,
  );
  expect(changed).toHaveLength(5);
  for (const { response, original_response } of changed) expect(response).not.toBe(original_response);

  await press("Delete one");
  expect((await read("/api/deleted-responses?limit=1000")).map(({ id }: { id: string }) => id)).toEqual([
    added.at(-1).id,
  ]);
  const kinds = async (): Promise<string[]> => (await feed(cursor)).data.map(({ kind }: { kind: string }) => kind);
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
