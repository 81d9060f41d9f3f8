import { beforeAll, expect, test } from "vitest";
import { type AirbyteConfig, airbyte } from "../harness/actors/airbyte.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { partner } from "../harness/actors/partner.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../harness/actors/survey.ts";
import { walkPages } from "../harness/actors/walk.ts";
import { mainStack } from "../harness/stack/stacks.ts";

const stack = mainStack();
const at = { base_url: stack.base_url, start_date: "2010-01-01T00:00:00.000Z" };

let onboarded: Onboarded;
let responses: SurveyRecord[];

beforeAll(async () => {
  [onboarded, responses] = await Promise.all([onboard(stack), generateResponses(1200, "airbyte")]);
  await importRecords(stack, "question", onboarded.shop, [{ id: 1001, prompt: "How did you hear about us?" }]);
  await importRecords(stack, "response", onboarded.shop, responses);
});

const idsOf = (records: readonly object[]): unknown[] => records.map((record) => (record as SurveyRecord).id);

test("Airbyte's manifest reads a shop by its API key: everything, then what changed and what was deleted", async () => {
  const { shop } = onboarded;
  const { key } = await onboardApiKey(stack, shop);
  const source = airbyte({ ...at, credentials: { auth_type: "api_key", api_key: key } });
  expect(source.names).toEqual(["connection", "responses", "deleted_responses", "questions"]);
  expect((await source.read("connection")).records).toMatchObject([{ id: null, shop: { id: shop.id } }]);
  expect(idsOf((await source.read("questions")).records)).toEqual([1001]);

  const first = await source.read("responses");
  const none = await source.read("deleted_responses");
  expect([first.pages, first.records.length, none.records]).toEqual([2, 1200, []]);
  const copy = new Map(first.records.map((record) => [record["id"], record]));

  const [changed, gone] = [responses[3]?.id ?? "", responses[700]?.id ?? ""];
  await operator(stack, ["response", "recategorize", "--shop", shop.id, "--id", changed, "--response", "TV"]);
  await operator(stack, ["response", "delete", "--shop", shop.id, "--id", gone, "--yes"]);
  const second = await source.read("responses", first.state);
  const deletions = await source.read("deleted_responses", none.state);
  expect([second.records.length < 100, idsOf(second.records).includes(changed)]).toEqual([true, true]);
  expect(idsOf(deletions.records)).toEqual([gone]);

  // As a destination merges: by the primary key, and without what was deleted since.
  for (const record of second.records) copy.set(record["id"], record);
  for (const { id } of deletions.records) copy.delete(id);
  const pages = await walkPages(`${stack.base_url}/api/responses?limit=1000`, key);
  const shown = new Map(pages.flatMap(({ data }) => data.map((record) => [record.id, record])));
  expect(copy.size).toBe(1199);
  expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(shown));
});

test("Airbyte's manifest reads a connected shop by a partner's refresh token", async () => {
  const { client, merchant, shop } = onboarded;
  const { refreshToken } = await partner(stack, client).connect(merchantBrowser(merchant), shop);
  const credentials: AirbyteConfig["credentials"] = {
    auth_type: "oauth",
    client_id: client.clientId,
    client_secret: client.secret,
    refresh_token: refreshToken,
  };
  const source = airbyte({ ...at, credentials });
  expect((await source.read("connection")).records).toMatchObject([{ client_id: client.clientId }]);
  expect((await source.read("responses")).records.length).toBeGreaterThan(1000);
});
