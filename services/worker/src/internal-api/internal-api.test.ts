import { connectDatabase } from "@partner-connect/database";
import { createProductKey, listProductKeys, revokeProductKey } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { callerOf, internalApi, suiteInternalApi } from "./testing.ts";

const LIMIT = 40;
const { owner, app, key, call } = await suiteInternalApi({ rateLimit: LIMIT });
app.get("/internal/test/:id", async (request) => ({ actor: request.actor.name }));
app.post("/internal/test", async (request) => request.body);

const newKey = () => createProductKey(owner, "another", TEST_OPERATOR);
const CHALLENGE = 'Bearer realm="partner-connect"';

test.each([
  ["no credential", undefined, CHALLENGE],
  ["a Basic credential", "Basic YTpi", CHALLENGE],
  ["a key without Bearer", key, CHALLENGE],
  ["an unknown key", `Bearer pcp_${"a".repeat(43)}`, `${CHALLENGE}, error="invalid_token"`],
  ["a truncated key", `Bearer ${key.slice(0, -1)}`, `${CHALLENGE}, error="invalid_token"`],
  ["two credentials", [`Bearer ${key}`, `Bearer ${key}`], `${CHALLENGE}, error="invalid_token"`],
])("a request with %s gets 401", async (_, authorization, challenge) => {
  const headers = (authorization === undefined ? {} : { authorization }) as Record<string, string>;
  const answer = await callerOf(app, null)("GET", "/internal/test/a", undefined, { headers });
  expect([answer.status, answer.body, answer.headers["www-authenticate"]]).toEqual([
    401,
    { error: "unauthorized" },
    challenge,
  ]);
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a product key authenticates requests under its name until the key is revoked", async () => {
  const { id, key: own } = await newKey();
  const callAs = callerOf(app, own);
  expect((await callAs("GET", "/internal/test/a")).body).toEqual({ actor: "product:another" });
  const [listed] = (await listProductKeys(owner)).filter((each) => each.id === id);
  expect(listed?.lastUsedAt).toBeInstanceOf(Date);
  await revokeProductKey(owner, id, TEST_OPERATOR);
  const { status, headers } = await callAs("GET", "/internal/test/a");
  expect([status, headers["www-authenticate"]]).toEqual([
    401,
    `${CHALLENGE}, error="invalid_token"`,
  ]);
});

test("the rate limit, with 429 and Retry-After, applies to each product key separately", async () => {
  const [one, other] = [callerOf(app, (await newKey()).key), callerOf(app, (await newKey()).key)];
  for (let each = 0; each < LIMIT; each++)
    expect((await one("GET", "/internal/test/a")).status).toBe(200);
  const refused = await one("GET", "/internal/test/a");
  expect([refused.status, refused.body]).toEqual([429, { error: "too_many_requests" }]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await other("GET", "/internal/test/a")).status).toBe(200);
});

const IDS = [
  ["a", 200],
  ["A-z0~9._", 200],
  ["..%2e", 200],
  ["a".repeat(64), 200],
  ["a".repeat(65), 400],
  ["a".repeat(1000), 400],
  ["a%20b", 400],
  ["a%2Fb", 400],
  ["%00", 400],
  ["%C3%A9", 400],
  ["", 400],
] as const;
test("an id in the path has 1 to 64 unreserved characters", async () => {
  for (const [id, status] of IDS) {
    const answer = await call("GET", `/internal/test/${id}`);
    expect([id, answer.status]).toEqual([id, status]);
    if (status === 400)
      expect(answer.body).toMatchObject({ error: "invalid_request", field: "id" });
  }
});

const tooLarge = (size: string) => ({
  error: "payload_too_large",
  error_description: `A body has at most ${size}.`,
});
const wrongType = (types: string) => ({
  error: "unsupported_media_type",
  error_description: `content-type must be ${types}.`,
});
const PLAIN = { "content-type": "text/plain" };
const COMPRESSED = {
  error: "unsupported_media_type",
  error_description: "content-encoding must be identity, not gzip.",
};
test.each([
  ["an unknown path", 404, "GET", "/none", undefined, {}, { error: "not_found" }],
  ["a wrong method", 405, "POST", "/test/a", "{}", {}, { error: "method_not_allowed" }],
  ["a malformed body", 400, "POST", "/test", "{", {}, { error: "invalid_request" }],
  ["a body of 33 KB", 413, "POST", "/test", `"${"a".repeat(33_000)}"`, {}, tooLarge("32 KB")],
  ["a 9 KB patch", 413, "PATCH", "/shops/a/responses/a", "{}".padEnd(9000), {}, tooLarge("8 KB")],
  ["a body of plain text", 415, "POST", "/test", "a=b", PLAIN, wrongType("application/json")],
  ["a gzip body", 415, "POST", "/test", "{}", { "content-encoding": "GZip" }, COMPRESSED],
  ["an empty text/plain", 404, "PUT", "/shops/a/members/b", "", PLAIN, { error: "not_found" }],
])("a request with %s gets %i", async (_, status, method, url, body, headers, error) => {
  const answer = await call(method, `/internal${url}`, body, {
    headers: { "content-type": "application/json", ...headers },
  });
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(error)]);
});

test("while Postgres is unreachable, a request gets 503 with Retry-After", async () => {
  const away = await internalApi(
    connectDatabase("postgres://back_office@127.0.0.1:1/none", { name: "away" }),
  );
  away.get("/internal/test", async () => ({}));
  const { status, body, headers } = await callerOf(away, key)("GET", "/internal/test");
  expect([status, body, headers["retry-after"]]).toEqual([503, { error: "unavailable" }, "1"]);
  await away.close();
});

test("a record with an unknown field is refused, and the error names the field", async () => {
  const refused = [];
  for (const [method, url, body] of [
    ["PUT", "merchants/a", { email: "a@b.example", name: "A", disabled: true }],
    ["PUT", "shops/a", { name: "A", domain: null, plan: "standard", constructor: 1 }],
    ["PATCH", "shops/a/responses/a", { response: "A", ["x".repeat(99)]: 1 }],
  ] as const) {
    const { status, body: error } = await call(method, `/internal/${url}`, body);
    refused.push([status, error.field, error.error_description]);
  }
  const expected = (field: string) => [400, field, `${field} is not a field of this record.`];
  expect(refused).toEqual([
    expected("disabled"),
    expected("constructor"),
    expected("x".repeat(64)),
  ]);
});

test("/internal/docs shows every operation and field, without a key and without loading other files", async () => {
  const { paths, components } = (await app.inject("/internal/openapi.json")).json();
  const { statusCode, headers, body } = await app.inject("/internal/docs");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(headers["content-security-policy"]).toContain("default-src 'none'; style-src 'sha256-");
  expect(body.match(/(?:src|href)="(?!#|openapi\.json)/g)).toBeNull();
  for (const [path, methods] of Object.entries(paths as Record<string, object>)) {
    for (const method of Object.keys(methods))
      expect(body).toContain(`${method.toUpperCase()} ${path}</code></h2>`);
  }
  for (const { properties } of Object.values(components.schemas) as {
    properties: Record<string, object>;
  }[]) {
    for (const [name, field] of Object.entries(properties)) {
      expect([name, field]).toEqual([
        name,
        expect.objectContaining({ description: expect.any(String) }),
      ]);
      expect(body).toContain(`<code>${name}</code>`);
    }
  }
  const { Response, Question } = components.schemas;
  const options = Question.properties.responses.items;
  for (const { properties } of [Response, Question, options]) {
    for (const field of Object.values(properties))
      expect(field).toMatchObject({ examples: [expect.anything()] });
  }
});

test("the OpenAPI document passes Redocly's recommended-strict rules", async () => {
  const { statusCode, body } = await app.inject("/internal/openapi.json");
  expect(statusCode).toBe(200);
  const rules = {
    "operation-description": "error",
    "tag-description": "error",
    "info-license": "off",
    "operation-4xx-response": "off", // GET of the document has none
  } as const;
  const config = await createConfig({ extends: ["recommended-strict"], rules });
  const problems = await lintFromString({ source: body, absoluteRef: "openapi.json", config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});
