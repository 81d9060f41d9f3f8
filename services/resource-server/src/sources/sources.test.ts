import { gzipSync } from "node:zlib";
import { createApiKey } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { suiteServer } from "../testing.ts";

const server = await suiteServer();
const shop = await server.newShop();

interface Source {
  readonly id: string;
  readonly name: string;
  readonly inserted_at: string;
  readonly updated_at: string;
}

async function post(
  body: unknown,
  { by = shop.apiKey, headers = {} }: { by?: string; headers?: Record<string, string> } = {},
) {
  const response = await fetch(`${server.url}/api/sources`, {
    method: "POST",
    headers: { authorization: by, "content-type": "application/json", ...headers },
    body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as Source & Record<string, unknown>;
  return { status: response.status, body: answer, headers: response.headers };
}

/** A body that is accepted. */
const TV = { name: "A", type: "tv" };

const count = async (shopId: string): Promise<number> =>
  (await server.owner`SELECT FROM survey.sources WHERE shop_id = ${shopId}`).count;

test("POST /api/sources creates a source and returns all its fields", async () => {
  const given = {
    name: " The Daily ",
    type: "podcast",
    external_id: "e1",
    url: "https://x.example/a",
    aliases: ["a", "b", "a"],
  };
  const { status, body } = await post(given);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^src_/),
    name: "The Daily",
    type: "podcast",
    external_id: "e1",
    url: "https://x.example/a",
    aliases: ["a", "b"],
    inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.inserted_at,
  });
});

test("POST /api/sources creates a new source each time if there is no external id", async () => {
  const [first, second] = [await post(TV), await post({ ...TV, url: null })];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.body.id).not.toBe(second.body.id);
  expect(first.body).toMatchObject({ external_id: null, url: null, aliases: [] });
});

test("POST /api/sources updates the source with the same external id, for each shop separately", async () => {
  const first = await post({ ...TV, external_id: "same", aliases: ["x"] });
  const second = await post({ name: "B", type: "event", external_id: "same" });
  expect([first.status, second.status]).toEqual([201, 200]);
  expect(second.body).toMatchObject({ id: first.body.id, name: "B", type: "event", aliases: [] });
  expect(second.body.inserted_at).toBe(first.body.inserted_at);
  // after a failover the new primary's clock may be behind
  const later = "2100-01-01T00:00:00.000Z";
  const ofFirst = server.owner`WHERE shop_id = ${shop.id} AND id = ${first.body.id}`;
  await server.owner`UPDATE survey.sources SET updated_at = ${later}, number = 1 ${ofFirst}`;
  expect((await post({ ...TV, name: "C", external_id: "same" })).body.updated_at).toBe(later);
  // Without a number, GET /internal/sources returns the source to the product again.
  expect(await server.owner`SELECT number FROM survey.sources ${ofFirst}`).toEqual([
    { number: null },
  ]);
  const other = await server.newShop();
  expect((await post({ ...TV, external_id: "same" }, { by: other.apiKey })).status).toBe(201);
});

test("the external ids of sources are separate for each client, and shared by all API keys of a shop", async () => {
  const own = await server.newShop();
  const { key: second } = await createApiKey(server.owner, own.id, { name: "operator:test" });
  const as = (by: string, name: string) => post({ name, type: "tv", external_id: "same" }, { by });
  const byKey = await as(own.apiKey, "A");
  const byClient = await as(`Bearer ${own.token}`, "B");
  expect([byKey.status, byClient.status, byKey.body.id === byClient.body.id]).toEqual([
    201,
    201,
    false,
  ]);
  expect(await as(second, "C")).toMatchObject({ status: 200, body: { id: byKey.body.id } });
  expect(await as(`Bearer ${own.token}`, "D")).toMatchObject({
    status: 200,
    body: { id: byClient.body.id },
  });
  expect(await count(own.id)).toBe(2);
});

test("parallel POSTs to /api/sources with the same external id create one source, and only one POST gets 201", async () => {
  const parallel = await server.newShop();
  const body = { ...TV, external_id: "e" };
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post(body, { by: parallel.apiKey })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(29);
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(await count(parallel.id)).toBe(1);
});

const NAME = "name must be a text of 1 to 200 characters.";
const EXTERNAL_ID = "external_id must be a text of 1 to 255 characters.";
const URL_TEXT = "url must be an absolute http or https URL of at most 1024 characters.";
const ALIASES = "aliases must be an array of at most 20 texts.";
const ALIAS = "aliases must be a text of 1 to 100 characters.";
const OBJECT = "The body must be a JSON object.";
const TYPE = "type must be one of podcast, youtube, influencer, tv, newsletter, event, other.";
test.each([
  [{ type: "tv" }, "name", NAME],
  [{ name: "   ", type: "tv" }, "name", NAME],
  [{ name: 1, type: "tv" }, "name", NAME],
  [{ name: "x".repeat(201), type: "radio" }, "name", NAME],
  ['{"name":"a\\u0000","type":"radio"}', "name", NAME],
  ['{"name":"\\ud800","type":"tv"}', "name", NAME],
  [{ name: "A" }, "type", TYPE],
  [{ name: "A", type: "radio", url: "x" }, "type", TYPE],
  [{ ...TV, external_id: " " }, "external_id", EXTERNAL_ID],
  [{ ...TV, external_id: 7 }, "external_id", EXTERNAL_ID],
  [{ ...TV, external_id: "x".repeat(256) }, "external_id", EXTERNAL_ID],
  [{ ...TV, url: "//x", aliases: 1 }, "url", URL_TEXT],
  [{ ...TV, url: "javascript:alert(1)" }, "url", URL_TEXT],
  [{ ...TV, url: `https://x.example/${"a".repeat(1024)}` }, "url", URL_TEXT],
  [{ ...TV, aliases: "a" }, "aliases", ALIASES],
  [{ ...TV, aliases: Array(21).fill("a") }, "aliases", ALIASES],
  [{ ...TV, aliases: ["a", " "] }, "aliases", ALIAS],
  [{ ...TV, aliases: ["x".repeat(101)] }, "aliases", ALIAS],
  [{ ...TV, aliases: [1] }, "aliases", ALIAS],
  ["null", "body", OBJECT],
  ["[]", "body", OBJECT],
  ["{", "body", "The request's body is malformed."],
  ["", "body", expect.any(String)],
  ['{"__proto__":{"name":"A"},"name":"A","type":"tv"}', "body", expect.any(String)],
])(
  "POST /api/sources refuses the body $0 and reports its first wrong field, $1, with a description",
  async (body, param, description) => {
    const before = await count(shop.id);
    const answer = await post(body);
    const expected = { error: "invalid_request", error_description: description, param };
    expect([answer.status, answer.body]).toEqual([400, expected]);
    expect(await count(shop.id)).toBe(before);
  },
);

test("POST /api/sources trims texts before it counts their characters", async () => {
  const blank = " ".repeat(300);
  const { status, body } = await post({
    name: `${blank}${"x".repeat(200)}${blank}`,
    type: "tv",
    external_id: `\n e2 \t`,
    aliases: [" a", "a ", `${blank}b`],
    url: null,
  });
  expect([status, body]).toMatchObject([
    201,
    { name: "x".repeat(200), external_id: "e2", aliases: ["a", "b"] },
  ]);
});

test.each([
  "https://x.example/a b",
  " https://x.example/",
  "https://x.exa\nmple/",
  "https://x.example/a\u0085b",
  "https://x.example/a\u2028b",
  "https://x.example/\u202egpj.exe",
  "https:\\\\x.example\\a",
  "https:x.example",
  "https:///x.example/",
  'https://x.example/"a"',
  "https://x.example/<a>",
])(
  "POST /api/sources refuses the url %j, which a URL parser would read as another URL",
  async (url) => {
    const { status, body } = await post({ ...TV, url });
    expect([status, body]).toMatchObject([400, { error: "invalid_request", param: "url" }]);
  },
);

test("POST /api/sources accepts URLs with letters beyond ASCII unchanged", async () => {
  const url = "HTTPS://bücher.example/ä?ö#ü";
  expect((await post({ ...TV, url })).body).toMatchObject({ url });
});

test("POST /api/sources counts a character outside of Unicode's basic plane once, as the published schema does", async () => {
  const name = "🎩".repeat(200);
  expect((await post({ name, type: "tv" })).body).toMatchObject({ name });
  expect((await post({ name: `${name}🎩`, type: "tv" })).body).toMatchObject({ param: "name" });
});

test("POST /api/sources refuses a body that is not UTF-8 and stores no source", async () => {
  const before = await count(shop.id);
  const [start, end] = ['{"name":"a', '","type":"tv"}'];
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ]) {
    const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)]);
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", param: "body" },
    });
  }
  expect(await count(shop.id)).toBe(before);
  expect((await post({ name: "aé€😀", type: "tv" })).body.name).toBe("aé€😀");
});

test("POST /api/sources returns 415 for a body that is not JSON or is compressed", async () => {
  const before = await count(shop.id);
  for (const [body, headers, accepted] of [
    ["{}", { "content-type": "application/xml" }, null],
    [gzipSync(JSON.stringify(TV)), { "content-encoding": "gzip" }, "identity"],
  ] as const) {
    const answer = await post(body, { headers });
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, accepted]);
  }
  expect(await count(shop.id)).toBe(before);
  const identity = { headers: { "content-encoding": "identity" } };
  expect((await post(JSON.stringify(TV), identity)).status).toBe(201);
});

const key = (value: string) => ({ headers: { "idempotency-key": value } });
const alike = ({ status, body }: Awaited<ReturnType<typeof post>>) => ({ status, body });

test("a repeated Idempotency-Key gets the first response again, for a new and for an updated source", async () => {
  const created = await post(TV, key("k1"));
  expect(created.status).toBe(201);
  expect(await post(TV, key("k1"))).toMatchObject(alike(created));
  expect((await post(TV, key("k2"))).body.id).not.toBe(created.body.id);
  await post({ ...TV, name: "B", external_id: "k" });
  const updated = await post({ ...TV, name: "C", external_id: "k" }, key("k3"));
  await post({ ...TV, name: "D", external_id: "k" });
  expect(updated.status).toBe(200);
  expect(await post({ ...TV, name: "C", external_id: "k" }, key("k3"))).toMatchObject(
    alike(updated),
  );
});

test("parallel calls with the same Idempotency-Key create one source and get the same response", async () => {
  const parallel = await server.newShop();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(TV, { by: parallel.apiKey, ...key("same") })),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(alike(answer)))).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await count(parallel.id)).toBe(1);
});

test("an Idempotency-Key that is reused with another body is refused with 422 and creates no source", async () => {
  await post(TV, key("k4"));
  const before = await count(shop.id);
  const answer = await post({ ...TV, name: "B" }, key("k4"));
  expect([answer.status, answer.body]).toEqual([422, { error: "idempotency_key_reused" }]);
  expect(await count(shop.id)).toBe(before);
});

test("an Idempotency-Key repeats a response only to the same caller, and only while the caller is allowed", async () => {
  const first = await post(TV, key("k5"));
  const second = await post(TV, { by: `Bearer ${shop.token}`, ...key("k5") });
  expect(second.status).toBe(201);
  const { key: another } = await createApiKey(server.owner, shop.id, { name: "operator:test" });
  const third = await post(TV, { by: another, ...key("k5") });
  expect(new Set([first, second, third].map(({ body }) => body.id)).size).toBe(3);
  await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${shop.connectionId}`;
  expect((await post(TV, { by: `Bearer ${shop.token}`, ...key("k5") })).status).toBe(403);
});

test("a refused call doesn't use up its Idempotency-Key", async () => {
  const own = await server.newShop();
  const status = (to: string) =>
    server.owner`UPDATE oauth.connections SET status = ${to} WHERE shop_id = ${own.id} AND id = ${own.connectionId}`;
  const send = (name: string) =>
    post({ name, type: "tv" }, { by: `Bearer ${own.token}`, ...key("k7") });
  await status("revoked");
  expect((await send("A")).status).toBe(403);
  await status("connected");
  expect((await send("B")).status).toBe(201);
  expect(await count(own.id)).toBe(1);
});

test("an Idempotency-Key expires after 24 hours", async () => {
  const first = await post(TV, key("k6"));
  const age = (minutes: number) =>
    server.owner`UPDATE survey.idempotency_keys SET created_at = ${new Date(Date.now() - minutes * 60_000)}`;
  await age(24 * 60 - 10);
  expect(await post(TV, key("k6"))).toMatchObject(alike(first));
  await age(24 * 60 + 1);
  const second = await post({ ...TV, name: "B" }, key("k6"));
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect(await post({ ...TV, name: "B" }, key("k6"))).toMatchObject(alike(second));
});

test("an Idempotency-Key is refused if it is empty, longer than 255 characters or not visible ASCII", async () => {
  for (const value of ["", "a b", "x".repeat(256), "é"]) {
    const answer = await post(TV, key(value));
    expect([answer.status, answer.body["param"]]).toEqual([400, "idempotency-key"]);
  }
});
