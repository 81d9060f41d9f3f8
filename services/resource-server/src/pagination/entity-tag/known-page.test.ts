import { setTimeout as sleep } from "node:timers/promises";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import {
  deleteResponses,
  importQuestions,
  importResponses,
  pruneDeletions,
  recategorizeResponses,
} from "@partner-connect/survey-data";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";

const HOUR = 3_600_000;
const UPDATED = "/api/responses?sort=updated_at_asc";

let now: number;
let server: TestResourceServer;
let shop: TestShop;

beforeAll(async () => {
  now = Date.now();
  server = await testResourceServer({ now: () => now });
});
afterAll(() => server.close());
beforeEach(async () => {
  shop = await server.newShop();
  await importLines({ id: "a" }, { id: "b" });
});

const line = (record: object): string => `${JSON.stringify({ question: "How?", response: "TV", ...record })}\n`;

async function importLines(...records: readonly object[]): Promise<void> {
  await importResponses(server.owner, { shopId: shop.id, lines: records.map(line) }, TEST_OPERATOR);
}

async function tagOf(path: string): Promise<string> {
  return (await server.get(path, shop.apiKey)).headers.get("etag") ?? "";
}

const ask = (path: string, tag: string, authorization = shop.apiKey): Promise<Response> =>
  server.get(path, authorization, { "if-none-match": tag });

/** Makes every read of a page wait: what is answered meanwhile was judged without one. */
async function withoutPages(work: () => Promise<void>): Promise<void> {
  await server.owner.begin(async (session) => {
    await session`LOCK TABLE survey.responses, survey.deleted_responses, survey.response_counts, survey.questions IN ACCESS EXCLUSIVE MODE`;
    await work();
  });
}

const PATHS = [
  "/api/responses",
  "/api/responses?limit=1&starting_after=b",
  UPDATED,
  `${UPDATED}&starting_after=b`,
  `${UPDATED}&updated_at_min=2100-01-01T00:00:00Z`,
  "/api/questions",
  "/api/deleted-responses",
  "/api/response-counts",
];

describe("a page that the caller has already", () => {
  test.each(PATHS)("is 304 before anything of it is read, by the tag of its 200: %s", async (path) => {
    const tag = await tagOf(path);
    await withoutPages(async () => {
      for (const sent of [tag, `"x", ${tag}`]) {
        const answer = await ask(path, sent);
        expect([answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([304, tag, ""]);
        expect(answer.headers.get("cache-control")).toBe("private, no-cache");
      }
    });
    expect(server.answers.held).toBe(0);
  });

  test("is read where its tag is another page's, another shop's or another release's", async () => {
    const tag = await tagOf("/api/responses?limit=1");
    expect((await ask("/api/responses?limit=2", tag)).status).toBe(200);
    const other = await server.newShop();
    expect((await ask("/api/responses?limit=1", tag, other.apiKey)).status).toBe(200);
    const later = await testResourceServer({ sharedWith: server, revision: "later" });
    const answer = await later.get("/api/responses?limit=1", shop.apiKey, { "if-none-match": tag });
    await later.close();
    expect([answer.status, answer.headers.get("etag") === tag]).toEqual([304, false]);
  });

  test("is 304 too when something else of its shop changed, by what is in it", async () => {
    const path = "/api/responses?limit=1&sort=inserted_at_asc";
    const tag = await tagOf(path);
    await importLines({ id: "c" });
    const answer = await ask(path, tag);
    expect([answer.status, answer.headers.get("etag") === tag]).toEqual([304, false]);
    expect((await ask(path, "*")).status).toBe(304);
  });
});

describe("a page that changed is sent, whatever changed it", () => {
  const options = () => ({ shopId: shop.id });
  const changes: Record<string, [path: string, change: () => Promise<unknown>]> = {
    "a response came": ["/api/responses", () => importLines({ id: "c" })],
    "a response was recategorized": [
      "/api/responses",
      () => recategorizeResponses(server.owner, { ...options(), ids: ["a"], response: "Radio" }, TEST_OPERATOR),
    ],
    "a response was imported with other content": ["/api/responses", () => importLines({ id: "a", response: "Radio" })],
    "a response was deleted by a command": [
      "/api/responses",
      () => deleteResponses(server.owner, { ...options(), ids: ["a"] }, TEST_OPERATOR),
    ],
    "a response was deleted by hand": [
      "/api/responses",
      () => server.owner`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = 'a'`,
    ],
    "a response came behind an idle poll": [`${UPDATED}&starting_after=b`, () => importLines({ id: "c" })],
    "a deletion came": [
      "/api/deleted-responses",
      () => deleteResponses(server.owner, { ...options(), ids: ["a"] }, TEST_OPERATOR),
    ],
    "a question came": [
      "/api/questions",
      () =>
        importQuestions(
          server.owner,
          { ...options(), lines: [`${JSON.stringify({ id: 1, prompt: "How?", type: "open_ended" })}\n`] },
          TEST_OPERATOR,
        ),
    ],
  };
  test.each(Object.entries(changes))("%s", async (_, [path, change]) => {
    const tag = await tagOf(path);
    expect((await ask(path, tag)).status).toBe(304);
    await change();
    const answer = await ask(path, tag);
    expect([answer.status, answer.headers.get("etag") === tag]).toEqual([200, false]);
  });

  test("deletions were forgotten", async () => {
    await deleteResponses(server.owner, { ...options(), ids: ["a"] }, TEST_OPERATOR);
    await deleteResponses(server.owner, { ...options(), ids: ["b"] }, TEST_OPERATOR);
    const path = "/api/deleted-responses";
    const tag = await tagOf(path);
    await pruneDeletions(server.owner, { before: new Date(Date.now() + HOUR), shopId: shop.id }, TEST_OPERATOR);
    expect((await ask(path, tag)).status).toBe(200);
  });

  test("the records are a shop's that has no stamp, and so can't tell", async () => {
    const path = "/api/responses";
    await server.owner`DELETE FROM survey.stamps WHERE shop_id = ${shop.id}`;
    const tag = await tagOf(path);
    expect((await ask(path, tag)).status).toBe(304);
    await server.owner`UPDATE survey.responses SET doc = replace(doc, 'TV', 'FM') WHERE shop_id = ${shop.id}`;
    expect((await ask(path, tag)).status).toBe(200);
  });
});

describe("a caller who may not have the page any more is refused, whatever tag it sends", () => {
  const revocations: Record<string, [status: number, revoke: () => Promise<unknown>]> = {
    "a connection that was revoked": [
      403,
      () => server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${shop.connectionId}`,
    ],
    "a connection that lost its scope": [
      403,
      () => server.owner`UPDATE oauth.connections SET scope = '{sources:write}' WHERE id = ${shop.connectionId}`,
    ],
    "a client that was disabled": [
      403,
      () => server.owner`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${shop.clientId}`,
    ],
  };
  test.each(Object.entries(revocations))("%s", async (_, [status, revoke]) => {
    const bearer = `Bearer ${shop.token}`;
    const tags = await Promise.all(PATHS.map(async (path) => [path, await tagOf(path)] as const));
    for (const [path, tag] of tags) expect([path, (await ask(path, tag, bearer)).status]).toEqual([path, 304]);
    await revoke();
    for (const [path, tag] of tags) expect([path, (await ask(path, tag, bearer)).status]).toEqual([path, status]);
  });

  test("an API key that was revoked", async () => {
    const tag = await tagOf(UPDATED);
    await server.owner`UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${shop.apiKeyId}`;
    expect((await ask(UPDATED, tag)).status).toBe(401);
  });
});

describe("while the shop changes", () => {
  let isOver: boolean;
  afterEach(() => {
    isOver = true;
  });

  test("nobody is told 304 for a page that was another one when they asked", async () => {
    isOver = false;
    let committed = 0;
    const writer = (async () => {
      // A page has 1,000 records.
      for (let i = 0; !isOver && i < 900; i++) {
        await importLines({ id: `n${i}` });
        committed = i + 1;
        await sleep(3);
      }
    })();
    const poll = async (path: string): Promise<void> => {
      let [tag, seen] = ["", 0];
      for (let i = 0; i < 150; i++) {
        const before = committed;
        const answer = await ask(path, tag);
        if (answer.status === 200) {
          tag = answer.headers.get("etag") ?? "";
          seen = ((await answer.json()) as { data: { id: string }[] }).data.filter(({ id }) =>
            id.startsWith("n"),
          ).length;
        }
        expect([path, seen >= before]).toEqual([path, true]);
      }
    };
    const paths = [`${UPDATED}&limit=1000`, "/api/responses?limit=1000", `${UPDATED}&limit=1000&starting_after=b`];
    await Promise.all(paths.map(poll));
    isOver = true;
    await writer;
  });
});

test("a page that a caller has already is read once an hour, and the edges that it shows are kept", async () => {
  const tag = await tagOf(`${UPDATED}&limit=2`);
  // For 30 hours, the page is told to be the same; then the caller goes on from its last record, which has moved.
  for (let hours = 0; hours < 30; hours++) {
    now += HOUR;
    expect((await ask(`${UPDATED}&limit=2`, tag)).status).toBe(304);
  }
  await importLines({ id: "c" });
  await recategorizeResponses(server.owner, { shopId: shop.id, ids: ["b"], response: "Radio" }, TEST_OPERATOR);
  const next = await server.get(`${UPDATED}&starting_after=b`, shop.apiKey);
  expect(((await next.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(["c", "b"]);
});
