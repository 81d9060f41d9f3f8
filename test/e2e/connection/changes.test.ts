import { beforeAll, describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { basic, type Partner, partner } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let shop: ShopRecord;
let app: Partner;
let other: Partner;
let browser: MerchantBrowser;

beforeAll(async () => {
  const [onboarded, another] = await Promise.all([onboard(stack), onboard(stack)]);
  shop = onboarded.shop;
  app = partner(stack, onboarded.client);
  other = partner(stack, another.client);
  browser = merchantBrowser(onboarded.merchant);
  await app.connect(browser, shop);
  await follow(entries("connected", ...ALL));
});

let cursor = "";

/** What is new since it was last asked: the answers until these entries have come, at most 10 seconds apart, and then nothing for a second. */
async function follow(expected: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (;;) {
    const wait = expected.every((entry) => found.has(entry)) ? 1 : 10;
    const query = new URLSearchParams({ wait: String(wait), ...(cursor && { after: cursor }) });
    const headers = { authorization: basic(app.client) };
    const answer = await send(`${stack.auth_url}/oauth/api/changes?${query}`, { headers });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { data, cursor: next } = answer.json();
    for (const { shop_id, kind, status } of data) found.add(`${shop_id} ${kind} ${status}`);
    cursor = next;
    if (data.length === 0) return [...found].toSorted();
  }
}

const entries = (status: string, ...kinds: string[]) => kinds.map((kind) => `${shop.id} ${kind} ${status}`).toSorted();
const ALL = ["connection", "responses", "deletions", "questions"];

const expectNew = async (expected: string[]) => expect(await follow(expected)).toEqual(expected);

async function connectionId(): Promise<string> {
  const [listed] = await operator(stack, ["connection", "list", "--shop", shop.id]);
  return listed.id;
}

describe("changes, through the gateway", { timeout: 60_000 }, () => {
  test("what an operator does to a shop's survey is told with its kind", async () => {
    const records = await generateResponses(3, "changes");
    const [first] = records;
    await importRecords(stack, "response", shop, records);
    await expectNew(entries("connected", "responses"));
    const response = ["--shop", shop.id, "--id", first?.id ?? ""];
    await operator(stack, ["response", "recategorize", ...response, "--response", "A podcast"]);
    await expectNew(entries("connected", "responses"));
    await operator(stack, ["response", "delete", ...response, "--yes"]);
    await expectNew(entries("connected", "deletions"));
    await importRecords(stack, "question", shop, [{ id: 77, prompt: "How?", type: "open_ended" }]);
    await expectNew(entries("connected", "questions"));
  });

  test("holds, ends and new approvals are told with the connection's status", async () => {
    const id = await connectionId();
    await operator(stack, ["connection", "disable", id, "--yes"]);
    await expectNew(entries("disabled", "connection"));
    await operator(stack, ["connection", "enable", id]);
    await expectNew(entries("connected", ...ALL));
    await operator(stack, ["connection", "revoke", id, "--yes"]);
    await expectNew(entries("revoked", "connection"));
    await app.connect(browser, shop);
    expect(await follow(entries("connected", ...ALL))).toEqual(expect.arrayContaining(entries("connected", ...ALL)));
    const list = await browser.open(`${stack.base_url}/oauth/connections`);
    const form = list.forms.find(({ action }) => action.includes(id));
    const confirm = await browser.press({ ...list, forms: form ? [form] : [] }, "Disconnect");
    await browser.press(confirm, "Disconnect");
    await expectNew(entries("revoked", "connection"));
  });

  test("the list says the same, and another client is told nothing", async () => {
    const list = (of: Partner, what: string) =>
      send(`${stack.base_url}/oauth/api/${what}`, { headers: { authorization: basic(of.client) } });
    const { data, prev, next } = (await list(app, "connections")).json();
    expect([prev, next, data]).toEqual([
      null,
      null,
      [
        expect.objectContaining({
          id: await connectionId(),
          shop: expect.objectContaining({ id: shop.id }),
          status: "revoked",
        }),
      ],
    ]);
    for (const what of ["connections", "changes"]) expect((await list(other, what)).json().data).toEqual([]);
  });
});
