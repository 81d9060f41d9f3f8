import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { waitingSessions } from "@partner-connect/database/testing";
import { onboardShop } from "@partner-connect/directory/testing";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { beforeEach, expect, test } from "vitest";
import { startWorker } from "../testing.ts";
import { suiteInternalApi } from "./testing.ts";

const api = await suiteInternalApi();
const { owner, call } = api;
/** Errors of calls, including those whose caller has gone. */
const errors: Error[] = [];
api.app.addHook("onError", async (_request, _reply, error) => void errors.push(error));

let shopId: string;
beforeEach(async () => {
  shopId = await onboardShop(owner);
});

const NDJSON = { "content-type": "application/x-ndjson" };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const answer = (id: string, more: object = {}) => ({
  id,
  question: "Who told you?",
  response: "TV",
  ...more,
});
const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");
const many = (count: number) => Array.from({ length: count }, (_, index) => answer(`r${index}`));

const post = (
  body: string | Buffer,
  { table = "responses", shop = shopId, headers = NDJSON as object } = {},
) => call("POST", `/internal/shops/${shop}/${table}`, body, { headers: { ...headers } });

async function stored(shop = shopId): Promise<Record<string, unknown>[]> {
  const rows = await owner<{ doc: string }[]>`
    SELECT doc FROM survey.responses WHERE shop_id = ${shop} ORDER BY inserted_at, id`;
  return rows.map(({ doc }) => JSON.parse(doc));
}

/** What calls have left in the audit log and in the feed. */
async function traces(shop = shopId) {
  return {
    audit:
      await owner`SELECT event, actor, details FROM oauth.audit_log WHERE shop_id = ${shop} ORDER BY at, id`,
    notes: await owner`SELECT kinds FROM oauth.change_notes WHERE shop_id = ${shop} ORDER BY id`,
  };
}

async function expectNothing(shop = shopId) {
  expect([await stored(shop), await traces(shop)]).toEqual([[], { audit: [], notes: [] }]);
  expect(
    await owner`SELECT FROM survey.stamps WHERE shop_id = ${shop} AND stamp > '-infinity'`,
  ).toEqual([]);
}

test("a third concurrent batch gets 503 with Retry-After if the first two batches don't end in time", async () => {
  const bodies = [new PassThrough(), new PassThrough()];
  const url = `/internal/shops/${shopId}/responses`;
  const sent = bodies.map((body) => call("POST", url, body, { headers: NDJSON }));
  const third = async () => {
    const { status, headers } = await post(lines(many(1)));
    return [status, headers["retry-after"]];
  };
  // The first of these calls may be served before the other two begin.
  const refused = expect.poll(third, { timeout: 30_000 }).toEqual([503, expect.any(String)]);
  await refused.finally(() => {
    for (const body of bodies) body.end(lines(many(1)));
  });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
});

const marked = (records: readonly object[]) => `\uFEFF${JSON.stringify(records)}`;
test.each([
  ["lines", NDJSON, lines],
  ["application/ndjson", { "content-type": "application/ndjson" }, lines],
  ["an array", JSON_TYPE, JSON.stringify],
  ["an array after a byte order mark", JSON_TYPE, marked],
])("POST of responses stores records once if they are sent as %s", async (_, headers, write) => {
  const old = answer("old", { inserted_at: "2026-01-01T00:00:00Z", version: 2 });
  const records = [
    old,
    answer("new", { question_id: 17, question: "Who?" }),
    answer("again"),
    answer("again", { response: "Radio" }),
  ];
  const body = write(records);
  expect((await post(body, { headers })).body).toEqual({ created: 3, updated: 0, unchanged: 1 });
  const [first, ...others] = await stored();
  expect(first).toMatchObject({
    id: "old",
    inserted_at: "2026-01-01T00:00:00.000Z",
    response: "TV",
  });
  const [again, fresh] = others;
  expect(first?.["updated_at"]).toBe(fresh?.["updated_at"]);
  expect([again, fresh]).toMatchObject([{ response: "Radio" }, { id: "new", question_id: 17 }]);
  expect(again?.["updated_at"]).toBe(fresh?.["updated_at"]);
  const counts = { records: 3, inserted: 3, updated: 0, unchanged: 0, older: 0, backfilled: 0 };
  const left = {
    audit: [{ event: "response_import", actor: "product:survey", details: counts }],
    notes: [{ kinds: ["responses"] }],
  };
  expect(await traces()).toEqual(left);

  expect((await post(body, { headers })).body).toEqual({ created: 0, updated: 0, unchanged: 4 });
  expect(await traces()).toEqual(left);
  const changed = write([
    answer("new", { response: "Radio" }),
    { ...old, response: "Late", version: 1 },
  ]);
  const third = await post(changed, { headers });
  expect(third.body).toEqual({ created: 0, updated: 1, unchanged: 1 });
  expect(third.headers["x-older-versions"]).toBe("1");
  expect(String((await stored()).at(-1)?.["updated_at"]) > String(fresh?.["updated_at"])).toBe(
    true,
  );
});

test("a POST may have an empty body or a question of 900 KB", async () => {
  const question = {
    id: 7,
    prompt: "Who told you?",
    responses: Array(900).fill({ value: "x".repeat(1000) }),
  };
  expect((await post(lines([question]), { table: "questions" })).body).toMatchObject({
    created: 1,
  });
  expect((await traces()).notes).toEqual([{ kinds: ["questions"] }]);
  const none = { created: 0, updated: 0, unchanged: 0 };
  expect([(await post("\n")).body, (await post(" [ ]\n", { headers: JSON_TYPE })).body]).toEqual([
    none,
    none,
  ]);
});

const IDS = "id must be 1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `~` and `-`, but not `.` or `..`";
test.each<[problem: string, field: string | undefined, record: string]>([
  ["is not a JSON object", undefined, '{"id":"b","question":'],
  [IDS, "id", lines([answer("b c")])],
  [IDS, "id", lines([answer("..")])],
  ["id is required", "id", lines([{ question_id: 7, response: "TV" }])],
  ["is longer than 64 KiB", undefined, lines([answer("b", { response: "x".repeat(65_536) })])],
])(
  "if a record is bad, POST of responses reports the line and field and stores nothing (%#: %s)",
  async (problem, field, bad) => {
    const { status, body } = await post(`${lines(many(2500))}\n${bad}\n${lines(many(1))}`);
    const error_description = `line 2502: ${problem}`;
    const error = { error_description, line: 2502, ...(field && { field }) };
    expect([status, body]).toEqual([400, { error: "invalid_request", ...error, errors: [error] }]);
    await expectNothing();
  },
);

test("POST of responses is refused if it is too large, has no content type or names an unknown shop", async () => {
  const line = lines([answer("a", { response: "x".repeat(60_000) })]);
  const untyped = () => call("POST", `/internal/shops/${shopId}/responses`);
  const most = "A body has at most 16 MB.";
  const several = "a call has at most 10000 records: send several";
  const unknown = 'there is no shop "shop_none"';
  const types =
    "content-type must be application/x-ndjson or application/ndjson or application/json.";
  for (const [{ status, body }, expected, error, error_description] of [
    [await post(line.repeat(280)), 413, "payload_too_large", most],
    [await post(lines(many(10_001))), 413, "payload_too_large", several],
    [await untyped(), 415, "unsupported_media_type", types],
    [await post(line, { shop: "shop_none" }), 404, "not_found", unknown],
  ] as const)
    expect([status, body]).toEqual([expected, { error, error_description }]);
  await expectNothing();
});

test("ten equal concurrent POSTs store each response once", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(lines(many(300)))));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(answers.map(({ body }) => body.created).toSorted()).toEqual([...Array(9).fill(0), 300]);
  expect(await stored()).toHaveLength(300);
  expect((await traces()).audit).toHaveLength(1);
});

/** A POST of responses over the network. */
async function target(more: object = {}) {
  if (!api.app.server.listening) await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const headers = { ...NDJSON, authorization: `Bearer ${api.key}`, ...more };
  return {
    host: "127.0.0.1",
    port,
    path: `/internal/shops/${shopId}/responses`,
    method: "POST",
    headers,
  };
}
const connected = async (agent?: Agent): Promise<ClientRequest> =>
  httpRequest({ ...(await target()), ...(agent && { agent }) });

test("after a refused POST of responses, the next request on the same connection gets a response", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses = [];
  for (const body of ["\n".repeat(20 * 1024 * 1024), "x".repeat(1024 * 1024), ""]) {
    const sent = (await connected(agent)).end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    statuses.push(response.statusCode);
    await once(response.resume(), "end");
  }
  agent.destroy();
  expect(statuses).toEqual([413, 400, 200]);
});

test.each([
  [401, { authorization: "Bearer none" }, "x"],
  [415, { "content-type": "text/plain" }, "x"],
  [415, { "content-encoding": "gzip" }, "x"],
  [413, {}, "\n"],
  [400, {}, "x"],
])(
  "a client that sends its whole body before it reads gets the status %i (headers %j)",
  async (status, more, character) => {
    const { host, port, path, headers } = await target(more);
    const socket = connect(port, host).pause();
    const names = { host, connection: "close", "content-length": 18_000_000, ...headers };
    socket.write(`POST ${path} HTTP/1.1\r\n`);
    for (const [name, value] of Object.entries(names)) socket.write(`${name}: ${value}\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.write(`\r\n${character.repeat(18_000_000)}`, () => resolve());
    });
    expect(String(await buffer(socket)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  },
);

test("if the client disconnects during a POST of responses, no record is stored", async () => {
  const sent = (await connected()).on("error", () => {});
  errors.length = 0;
  sent.write(lines(many(2500)), () => setImmediate(() => sent.destroy()));
  await expect.poll(() => errors).toMatchObject([{ status: 400 }]); // not logged as a fault
  await expectNothing();
});

test("if the back office is killed during a POST of responses, nothing is stored and a new POST succeeds", async () => {
  const port = await freePort();
  const env = { INTERNAL_API_PORT: String(port) };
  const process = await startWorker(api.backOfficeUrl, "back-office.main.ts", env);
  const body = lines(many(4100));
  const headers = { ...NDJSON, authorization: `Bearer ${api.key}` };
  const undone = owner.begin(async (inside) => {
    await inside`
        INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc) VALUES (${shopId}, 'r4000', now(), now(), '{}')`;
    const url = `http://127.0.0.1:${port}/internal/shops/${shopId}/responses`;
    const cut = fetch(url, { method: "POST", headers, body });
    await expect.poll(() => waitingSessions(owner), { timeout: 60_000 }).toBeGreaterThan(0);
    process.process.kill("SIGKILL");
    await expect(cut).rejects.toThrow();
    await process.ended;
    // Postgres checks every second whether its client is still connected.
    await expect.poll(() => waitingSessions(owner), { timeout: 60_000 }).toBe(0);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await expectNothing();
  expect((await post(body)).body).toEqual({ created: 4100, updated: 0, unchanged: 0 });
}, 180_000);

const change = (method: string, id: string, body?: unknown, shop = shopId) =>
  call(method, `/internal/shops/${shop}/responses/${id}`, body as object);

test("a response can be recategorized by PATCH and deleted by DELETE, each time with an audit record", async () => {
  const other_response = "x".repeat(64_000);
  await post(lines([answer("a", { other_response, response: null })]));
  const [before] = await stored();
  const { status, body } = await change("PATCH", "a", { response: "Podcast" });
  const [after] = await stored();
  expect([status, body]).toEqual([200, after]);
  expect(after).toMatchObject({ response: "Podcast", original_response: other_response });
  expect(String(after?.["updated_at"]) > String(before?.["updated_at"])).toBe(true);
  expect((await change("PATCH", "a", { response: "é".repeat(4000) })).status).toBe(200);

  expect((await change("DELETE", "a")).status).toBe(204);
  expect(await stored()).toEqual([]);
  expect(await owner`SELECT id FROM survey.deleted_responses WHERE shop_id = ${shopId}`).toEqual([
    { id: "a" },
  ]);
  const { audit, notes } = await traces();
  const events =
    "response_import response_recategorize response_recategorize response_delete".split(" ");
  expect(audit).toMatchObject(events.map((event) => ({ event, actor: "product:survey" })));
  expect(notes.flatMap(({ kinds }) => kinds)).toEqual(
    "responses responses responses deletions".split(" "),
  );
});

test("PATCH of an unknown response gets 404, but DELETE gets 204", async () => {
  const other = await onboardShop(owner);
  await post(lines([answer("a")]), { shop: other });
  const body = { response: "Podcast" };
  for (const id of ["none", "a"]) {
    const { status, body: error } = await change("PATCH", id, body);
    const error_description = `there is no response "${id}"`;
    expect([status, error]).toEqual([404, { error: "not_found", error_description }]);
    expect((await change("DELETE", id)).status).toBe(204);
  }
  expect((await change("PATCH", "a", body, "shop_none")).status).toBe(404);
  expect((await change("DELETE", "a", undefined, "shop_none")).status).toBe(204);
  expect(await stored(other)).toMatchObject([{ id: "a", response: "TV" }]);
  expect(await traces()).toEqual({ audit: [], notes: [] });
});

test("a deletion takes effect only if its version is an integer and not lower than the stored version", async () => {
  await post(lines([answer("a", { version: 5 }), answer("b", { version: 5 })]));
  const one = await change("DELETE", "a?version=4");
  expect([one.status, one.headers["x-older-versions"]]).toEqual([204, "1"]);
  const records = lines([{ id: "a", version: 4 }, { id: "b", version: 6 }, { id: "c" }]);
  const { headers, body } = await post(records, { table: "deletions" });
  expect([headers["x-older-versions"], body]).toEqual(["1", { deleted: 1, unchanged: 2 }]);
  const others = [await change("DELETE", "b"), await post("")];
  expect(others.map((other) => other.headers["x-older-versions"])).toEqual([undefined, undefined]);
  for (const version of ["-1", "1.5", "x", String(2 ** 53)]) {
    const refused = await change("DELETE", `a?version=${version}`);
    expect([refused.status, refused.body.field], version).toEqual([400, "version"]);
  }
  expect(await stored()).toMatchObject([{ id: "a" }]);
});

test("PATCH accepts a response up to the body limit of 8 KB, even for a record of 64 KB", async () => {
  const other_response = "x".repeat(64 * 1024 - 100);
  await post(lines([{ id: "a", question: "?", other_response }]));
  for (const response of ["y".repeat(8 * 1024 - 20), "\u0001".repeat(1300)]) {
    expect(await change("PATCH", "a", { response })).toMatchObject({
      status: 200,
      body: { response },
    });
  }
  for (const [response, status] of [
    ["", 400],
    ["x".repeat(9000), 413],
  ] as const)
    expect((await change("PATCH", "a", { response })).status).toBe(status);
});

test("DELETE of a question removes the question, but not its text in responses", async () => {
  await post(lines([{ id: 7, prompt: "Who told you?" }]), { table: "questions" });
  await post(lines([{ id: "a", question_id: 7, response: "TV" }]));
  const remove = (id: string) => call("DELETE", `/internal/shops/${shopId}/questions/${id}`);
  expect([(await remove("7")).status, (await remove("7")).status]).toEqual([204, 204]);
  expect(await remove("seven")).toMatchObject({ status: 400, body: { field: "question_id" } });
  expect(await owner`SELECT FROM survey.questions WHERE shop_id = ${shopId}`).toEqual([]);
  expect(await stored()).toMatchObject([{ question: "Who told you?" }]);
  const { audit, notes } = await traces();
  expect(audit.map(({ event }) => event)).toEqual(
    "question_import response_import question_delete".split(" "),
  );
  expect(notes.flatMap(({ kinds }) => kinds)).toEqual(["questions", "responses", "questions"]);
});
