import { connectDatabase } from "@partner-connect/database";
import { type Credential, ShopClient } from "@partner-connect/partner-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { failure } from "../../harness/actors/sdk-partner.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../../harness/actors/survey.ts";
import { type Fault, type FaultyProxy, faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let people: Onboarded;
let records: SurveyRecord[];
let apiKey: string;
let proxy: FaultyProxy;
let waits: number[];
const clock = {
  now: () => Date.now(),
  sleep: async (ms: number) => void waits.push(ms),
};

beforeAll(async () => {
  people = await onboard(stack);
  records = generateResponses(2300, "sync-lists");
  [{ key: apiKey }] = await Promise.all([
    onboardApiKey(stack, people.shop),
    importRecords(stack, "response", people.shop, records),
    importRecords(stack, "question", people.shop, [{ id: 1, prompt: "How did you hear about us?", responses: [] }]),
  ]);
  proxy = await faultyProxy(stack.base_url);
});
afterAll(async () => await proxy.stop());
beforeEach(() => {
  waits = [];
  proxy.choose(null);
});

const client = (credential: Credential): ShopClient =>
  new ShopClient({ apiUrl: proxy.url, credential, fetch: (input, init) => fetch(input, init), clock });

/** The shop by its API key, through the proxy. */
const shop = (): ShopClient => client({ authorization: async () => apiKey });

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const one of list) collected.push(one);
  return collected;
}

/** The first calls meet these faults, one after the other. */
function faults(...some: readonly Fault[]): void {
  const before = proxy.calls.length;
  proxy.choose(({ count }) => some[count - before] ?? null);
}

const gateway = (status: number, headers: Record<string, string> = {}): Fault => ({
  fault: "gateway",
  status,
  headers,
});
const idsOf = (some: readonly { readonly id: string }[]): string[] => some.map(({ id }) => id);

describe("lists", () => {
  test("all responses, each once, in the sort's order, whatever the size of a page", async () => {
    const oldest = records.toSorted((a, b) => (`${a.inserted_at} ${a.id}` < `${b.inserted_at} ${b.id}` ? -1 : 1));
    const before = proxy.calls.length;
    expect(idsOf(await all(shop().listResponses({ sort: "inserted_at_asc", limit: 500 })))).toEqual(idsOf(oldest));
    // All of them of the address that the SDK was given, wherever the links lead.
    expect(proxy.calls.length - before).toBe(5);
  });
});

describe("calls that fail", () => {
  const cases: [string, Fault, (ms: number) => boolean][] = [
    ["429, after `retry-after`", gateway(429, { "retry-after": "7" }), (ms) => ms >= 7000 && ms < 7500],
    ["502 without `retry-after`, after a moment", gateway(502), (ms) => ms >= 100 && ms <= 200],
    ["an answer that breaks off", { fault: "cut" }, (ms) => ms <= 200],
  ];
  test.each(cases)("are repeated: %s", async (_name, fault, isExpected) => {
    faults(fault);
    expect((await all(shop().listResponses())).length).toBe(2300);
    expect(waits).toSatisfy((all: number[]) => all.length === 1 && isExpected(all[0] ?? Number.NaN));
  });

  test("are repeated after a date in `retry-after` too", async () => {
    faults(gateway(503, { "retry-after": new Date(Date.now() + 30_000).toUTCString() }));
    await all(shop().listQuestions());
    expect(waits[0]).toSatisfy((ms: number) => ms > 15_000 && ms < 31_500);
  });

  test("are reported as unavailable when that does not help, and never as a refusal", async () => {
    proxy.choose(() => gateway(503, { "retry-after": "1", "x-request-id": "req-1" }));
    const error = await failure(all(shop().listResponses()));
    expect(error).toMatchObject({ code: "unavailable", retryAfterSeconds: 1, requestId: "req-1" });
    expect(waits.length).toBe(7);
  });

  test("end by the caller's signal, also while they wait", async () => {
    const leave = new AbortController();
    proxy.choose(() => {
      leave.abort(new Error("enough"));
      return gateway(503);
    });
    expect(await failure(all(shop().listResponses({ signal: leave.signal })))).toMatchObject({ message: "enough" });
  });

  test("name the parameter that is wrong, and are not repeated", async () => {
    const before = proxy.calls.length;
    const error = await failure(all(shop().listResponses({ inserted_at_min: "yesterday" })));
    expect(error).toMatchObject({ code: "invalid_request", param: "inserted_at_min" });
    expect(error.requestId).toBeTruthy();
    expect(proxy.calls.length - before).toBe(1);
  });

  test("at a wrong address say so", async () => {
    proxy.choose(() => gateway(404));
    expect((await failure(all(shop().listQuestions()))).message).toMatch(/404.*check the base URL/);
    proxy.choose(() => gateway(302, { location: "https://elsewhere.example/" }));
    expect((await failure(all(shop().listQuestions()))).message).toMatch(/302.*check the base URL/);
  });
});

describe("credentials", () => {
  test("a refused access token is renewed once, and the call goes on", async () => {
    const app = partner(stack, people.client);
    const { accessToken } = await app.connect(merchantBrowser(people.merchant), people.shop);
    const tokens = ["Bearer nonsense", `Bearer ${accessToken}`];
    const refused: string[] = [];
    const renewing = client({
      authorization: async () => tokens[0] as string,
      refused: (authorization) => {
        refused.push(authorization);
        tokens.shift();
      },
    });
    expect((await all(renewing.listResponses())).length).toBe(2300);
    expect(refused).toEqual(["Bearer nonsense"]);
  });

  test("one that stays refused is Unauthorized; a held or revoked connection is Forbidden", async () => {
    const never = client({ authorization: async () => "Bearer nonsense", refused: () => {} });
    expect(await failure(all(never.listQuestions()))).toMatchObject({ code: "unauthorized" });

    const app = partner(stack, people.client);
    const { accessToken } = await app.connect(merchantBrowser(people.merchant), people.advancedShop);
    const [connection] = await operator(stack, ["connection", "list", "--shop", people.advancedShop.id]);
    await operator(stack, ["connection", "revoke", connection.id, "--yes"]);
    let asked = 0;
    const revoked = client({ authorization: async () => `Bearer ${accessToken}`, refused: () => void asked++ });
    expect(await failure(all(revoked.listQuestions()))).toMatchObject({ code: "forbidden" });
    expect(asked).toBe(1);
  });
});

describe("sources", () => {
  const source = { name: "Podcast A", type: "podcast" } as const;

  test("one that is created over a bad network is created once", async () => {
    const { key } = await onboardApiKey(stack, people.advancedShop);
    const advanced = client({ authorization: async () => key });
    faults({ fault: "drop-answer" }, { fault: "double", answer: "second" });
    const created = await advanced.createSource(source);
    expect(created).toMatchObject(source);
    const sql = connectDatabase(stack.database_url, { name: "test", connections: 1 });
    const sources = await sql`SELECT id FROM survey.sources WHERE shop_id = ${people.advancedShop.id}`;
    await sql.end();
    expect(sources).toEqual([{ id: created.id }]);
    expect((await advanced.createSource(source)).id).not.toBe(created.id);
  });

  test("without the shop's plan the scope that is missing is named", async () => {
    const app = partner(stack, people.client);
    const { accessToken } = await app.connect(merchantBrowser(people.merchant), people.shop);
    const error = await failure(client({ authorization: async () => `Bearer ${accessToken}` }).createSource(source));
    expect(error).toMatchObject({ code: "insufficient_scope", scope: "sources:write" });
  });
});
