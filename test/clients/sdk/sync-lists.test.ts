import { connectDatabase } from "@partner-connect/database";
import { type Credential, ShopClient } from "@partner-connect/partner-sdk";
import { beforeEach, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { failure } from "../../harness/actors/sdk-partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { type Fault, faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const proxy = await faultyProxy(stack.base_url);
const records = generateResponses(2300, "sync-lists");
const NOW = Date.now();
const AT = new Date(NOW + 30_000).toUTCString();
let waits: number[];
const clock = { now: () => NOW, sleep: async (ms: number) => void waits.push(ms) };

const people = await onboard(stack);
const [{ key: apiKey }] = await Promise.all([
  onboardApiKey(stack, people.shop),
  importRecords(stack, "response", people.shop, records),
  importRecords(stack, "question", people.shop, [
    { id: 1, prompt: "How did you hear about us?", responses: [] },
  ]),
]);
beforeEach(() => {
  waits = [];
});

const client = (credential: Credential) =>
  new ShopClient({ apiUrl: proxy.url, credential, fetch, clock });

/** A client that reads the shop with its API key, through the proxy. */
const shop = (): ShopClient => client({ authorization: async () => apiKey });

/** The header of a shop that the merchant has just connected. */
async function connected(to: ShopRecord): Promise<string> {
  const { accessToken } = await partner(stack, people.client).connect(
    merchantBrowser(people.merchant),
    to,
  );
  return `Bearer ${accessToken}`;
}

const all = <T>(list: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(list);

const gateway = (status: number, headers = {}): Fault => ({ fault: "gateway", status, headers });
const idsOf = (some: readonly { readonly id: string }[]): string[] => some.map(({ id }) => id);

test("a list yields every response once, in the sort's order, over all pages", async () => {
  const oldest = records.toSorted((a, b) =>
    `${a.inserted_at} ${a.id}` < `${b.inserted_at} ${b.id}` ? -1 : 1,
  );
  const before = proxy.calls.length;
  expect(idsOf(await all(shop().listResponses({ sort: "inserted_at_asc", limit: 500 })))).toEqual(
    idsOf(oldest),
  );
  // All calls go to the SDK's configured address, whatever the host of the links.
  expect(proxy.calls.length - before).toBe(5);
});

test.each<[string, Fault, number, number]>([
  ["429 is repeated after `retry-after`", gateway(429, { "retry-after": "7" }), 7000, 7250],
  ["503 is repeated at the stated date", gateway(503, { "retry-after": AT }), 30_000, 30_250],
  ["502 without `retry-after` is repeated within 200 ms", gateway(502), 100, 200],
  ["an incomplete response is repeated within 200 ms", { fault: "cut" }, 100, 200],
])("a call that gets %s", async (_, fault, least, most) => {
  proxy.chooseInTurn([fault]);
  expect((await all(shop().listResponses())).length).toBe(2300);
  expect(waits).toEqual([expect.toSatisfy((ms) => least <= ms && ms <= most)]);
});

test("a call that still fails after seven retries throws Unavailable", async () => {
  proxy.choose(() => gateway(503, { "retry-after": "1", "x-request-id": "req-1" }));
  const error = await failure(all(shop().listResponses()));
  expect(error).toMatchObject({ code: "unavailable", retryAfterSeconds: 1, requestId: "req-1" });
  expect(waits.length).toBe(7);
});

test("an aborted call throws the abort's reason instead of the server's error", async () => {
  const leave = new AbortController();
  proxy.choose(() => {
    leave.abort(new Error("enough"));
    return gateway(503);
  });
  expect(await failure(all(shop().listResponses({ signal: leave.signal })))).toMatchObject({
    message: "enough",
  });
});

test("a call with an invalid parameter is not retried, and the error contains the parameter", async () => {
  const before = proxy.calls.length;
  const error = await failure(all(shop().listResponses({ inserted_at_min: "yesterday" })));
  expect(error).toMatchObject({ code: "invalid_request", param: "inserted_at_min" });
  expect(error.requestId).toBeTruthy();
  expect(proxy.calls.length - before).toBe(1);
});

test("a call that gets 404 or a redirect throws an error that suggests checking the base URL", async () => {
  proxy.choose(() => gateway(404));
  expect((await failure(all(shop().listQuestions()))).message).toMatch(/404.*check the base URL/);
  proxy.choose(() => gateway(302, { location: "https://elsewhere.example/" }));
  expect((await failure(all(shop().listQuestions()))).message).toMatch(/302.*check the base URL/);
});

test("a call whose access token is refused renews the token once and continues", async () => {
  const tokens = ["Bearer nonsense", await connected(people.shop)];
  const refused: string[] = [];
  const renewing = client({
    authorization: async () => tokens[0] as string,
    refused: (authorization) => {
      refused.push(authorization);
      tokens.shift();
      return true;
    },
  });
  expect((await all(renewing.listResponses())).length).toBe(2300);
  expect(refused).toEqual(["Bearer nonsense"]);
});

test("a call throws Unauthorized if a renewed token is refused, and Forbidden if the connection was revoked", async () => {
  const never = client({ authorization: async () => "Bearer nonsense", refused: () => true });
  expect(await failure(all(never.listQuestions()))).toMatchObject({ code: "unauthorized" });

  const authorization = await connected(people.advancedShop);
  const ofShop = ["connection list --shop", people.advancedShop.id];
  const [connection] = await operator(stack, ofShop);
  await operator(stack, ["connection", "revoke", connection.id, "--yes"]);
  let asked = 0;
  const revoked = client({
    authorization: async () => authorization,
    refused: () => ++asked > 0,
  });
  expect(await failure(all(revoked.listQuestions()))).toMatchObject({ code: "forbidden" });
  expect(asked).toBe(1);
});

const source = { name: "Podcast A", type: "podcast" } as const;

test("createSource creates one source, even if the response is lost or the request arrives twice", async () => {
  const { key } = await onboardApiKey(stack, people.advancedShop);
  const advanced = client({ authorization: async () => key });
  proxy.chooseInTurn([{ fault: "drop-answer" }, { fault: "double", answer: "second" }]);
  const created = await advanced.createSource(source);
  expect(created).toMatchObject(source);
  const sql = connectDatabase(stack.database_url, { name: "test", connections: 1 });
  const sources =
    await sql`SELECT id FROM survey.sources WHERE shop_id = ${people.advancedShop.id}`;
  await sql.end();
  expect(sources).toEqual([{ id: created.id }]);
  expect((await advanced.createSource(source)).id).not.toBe(created.id);
});
