import { beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { runOperator } from "../../harness/actors/operator.ts";
import { callApi, partner } from "../../harness/actors/partner.ts";
import { importRecords } from "../../harness/actors/survey.ts";
import { getPage, idsOf, walkPages } from "../../harness/actors/walk.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const QUESTIONS = Array.from({ length: 25 }, (_, index) => ({
  id: 100 + index,
  prompt: `How did you hear about us, ${index}? 💬`,
  type: ["single_response", "multi_response", "open_ended"][index % 3],
  submit_text: "Send",
  allow_other: index % 2 === 0,
  other_placeholder: "Tell us",
  randomize_responses: false,
  max_responses: 1,
  customer_type: ["everyone", "new", "returning"][index % 3],
  frequency_type: "once",
  published_at: "2026-01-02T03:04:05.678Z",
  inserted_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-02-01T00:00:00.000Z",
  responses: [{ id: index * 2 + 1, value: "Podcast", clarification_question: "Which one?" }],
}));

const stack = mainStack();
const list = `${stack.base_url}/api/questions`;
let bearer: string;
let withoutScope: string;
let key: string;
let shopId: string;

beforeAll(async () => {
  const { client, merchant, shop, advancedShop } = await onboard(stack);
  shopId = shop.id;
  const [apiKey] = await Promise.all([onboardApiKey(stack, shop), importRecords(stack, "question", shop, QUESTIONS)]);
  key = apiKey.key;
  const [app, browser] = [partner(stack, client), merchantBrowser(merchant)];
  bearer = `Bearer ${(await app.connect(browser, shop)).accessToken}`;
  withoutScope = `Bearer ${(await app.connect(browser, advancedShop, { scope: "sources:write" })).accessToken}`;
});

describe("the list of questions", () => {
  test("has the envelope of every list, and each question as it was imported", async () => {
    const page = await getPage(list, bearer);
    expect(page).toEqual({ data: QUESTIONS, prev: null, next: null });
    expect(await getPage(list, key)).toEqual(page);
  });

  test("is walked by next and by prev, each question once", async () => {
    const ids = QUESTIONS.map(({ id }) => id);
    expect(idsOf(await walkPages(`${list}?limit=7`, bearer))).toEqual(ids);
    const back = await walkPages(`${list}?limit=7&ending_before=${ids.at(-1)}`, bearer, "prev");
    expect(idsOf(back.toReversed())).toEqual(ids.slice(0, -1));
  });

  test("responses:read is required", async () => {
    const { status, json } = await callApi(list, withoutScope);
    expect([status, json()]).toEqual([403, { error: "insufficient_scope" }]);
  });
});

describe("importing", () => {
  test("is idempotent by id, and a bad line is named and keeps nothing of the file", async () => {
    await importRecords(stack, "question", { id: shopId }, QUESTIONS);
    expect((await getPage(list, key)).data).toEqual(QUESTIONS);
    const lines = [JSON.stringify({ id: 900, prompt: "New?" }), JSON.stringify({ id: "x", prompt: "Bad" })];
    const args = ["question", "import", "--shop", shopId, "-"];
    const { exitCode, stderr } = await runOperator(stack, args, { stdin: `${lines.join("\n")}\n` });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("line 2");
    expect((await getPage(list, key)).data).toEqual(QUESTIONS);
  });
});
