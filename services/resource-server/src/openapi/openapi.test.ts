import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { generateQuestions, generateResponses } from "@partner-connect/generated-survey";
import { importQuestions, importResponses } from "@partner-connect/survey-data";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEGACY_NAMES } from "../responses/legacy-names.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { type ApiDocument, fetchDocument, type IsPublished, publishedBodies } from "./testing.ts";

let server: TestResourceServer;
let shop: TestShop;
let document: ApiDocument;
let isPublished: IsPublished;

beforeAll(async () => {
  server = await testResourceServer();
  shop = await server.newShop();
  document = await fetchDocument(server);
  isPublished = publishedBodies(document);
  await importQuestions(server.owner, { shopId: shop.id, lines: generateQuestions({}) }, TEST_OPERATOR);
  await importResponses(server.owner, { shopId: shop.id, lines: generateResponses({ count: 200 }) }, TEST_OPERATOR);
  await server.owner`DELETE FROM survey.responses WHERE shop_id = ${shop.id} AND id = ANY (
    SELECT id FROM survey.responses WHERE shop_id = ${shop.id} LIMIT 10)`;
});

afterAll(() => server.close());

const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/api/sources`, {
    method: "POST",
    headers: { authorization: shop.apiKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("/api/openapi.json", () => {
  test("is for everybody, and may be kept for five minutes", async () => {
    const response = await server.get("/api/openapi.json");
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "application/json; charset=utf-8",
      "public, max-age=300",
    ]);
  });

  test("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect([document.openapi, valid, errors]).toEqual(["3.1.0", true, undefined]);
  });

  test("has every route, and each of its parameters; legacy names are deprecated", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [] }]) => ({
        route: `${method} ${path} ${operationId}`,
        current: parameters.filter(({ deprecated }) => !deprecated).map(({ name }) => name),
        deprecated: parameters.filter(({ deprecated }) => deprecated).map(({ name }) => name),
      })),
    );
    const page = ["limit", "starting_after", "ending_before"];
    const filters = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"];
    expect(described).toEqual([
      {
        route: "get /api/responses listResponses",
        current: [...page, "cursor_time", ...filters, "sort"],
        deprecated: [...LEGACY_NAMES.keys()],
      },
      { route: "get /api/questions listQuestions", current: page, deprecated: [] },
      { route: "post /api/sources createSource", current: ["Idempotency-Key"], deprecated: [] },
      { route: "get /api/connection readConnection", current: [], deprecated: [] },
      {
        route: "get /api/deleted-responses listDeletedResponses",
        current: [...page, "cursor_time", "deleted_at_min", "deleted_at_max"],
        deprecated: [],
      },
    ]);
  });

  test.each([
    ["/api/responses", "Response"],
    ["/api/questions", "Question"],
  ])("describes every property of the records at %s, and no other", async (path, name) => {
    const { data } = (await (await server.get(path, shop.apiKey)).json()) as { data: object[] };
    const properties = Object.keys(document.components.schemas[name]?.properties ?? {});
    expect(data.length).toBeGreaterThan(0);
    for (const record of data) expect(Object.keys(record)).toEqual(properties);
  });

  test("describes what is really answered", async () => {
    const source = { name: "The Daily", type: "podcast", external_id: "e", aliases: ["a"] };
    const narrow = await server.issuer.sign(server.claims(shop, { scope: "sources:write" }));
    const key = { "idempotency-key": "k" };
    const answers = [
      ["get", "/api/responses", 200, await server.get("/api/responses?limit=1000", shop.apiKey)],
      ["get", "/api/responses", 400, await server.get("/api/responses?limit=0", shop.apiKey)],
      ["get", "/api/responses", 401, await server.get("/api/responses")],
      ["get", "/api/responses", 403, await server.get("/api/responses", `Bearer ${narrow}`)],
      ["get", "/api/questions", 200, await server.get("/api/questions", shop.apiKey)],
      ["get", "/api/questions", 400, await server.get("/api/questions?starting_after=x", shop.apiKey)],
      ["get", "/api/connection", 200, await server.get("/api/connection", shop.apiKey)],
      ["get", "/api/connection", 200, await server.get("/api/connection", `Bearer ${shop.token}`)],
      ["get", "/api/connection", 401, await server.get("/api/connection")],
      ["get", "/api/deleted-responses", 200, await server.get("/api/deleted-responses", shop.apiKey)],
      ["get", "/api/deleted-responses", 400, await server.get("/api/deleted-responses?limit=0", shop.apiKey)],
      ["post", "/api/sources", 201, await post(source, key)],
      ["post", "/api/sources", 200, await post(source)],
      ["post", "/api/sources", 201, await post({ ...source, external_id: null, url: "https://x.example/ä" })],
      ["post", "/api/sources", 400, await post({})],
      ["post", "/api/sources", 413, await post({ ...source, name: "x".repeat(40_000) })],
      ["post", "/api/sources", 415, await post(source, { "content-type": "text/plain" })],
      ["post", "/api/sources", 422, await post({ ...source, name: "Another" }, key)],
    ] as const;
    for (const [method, path, status, answer] of answers) {
      const body: unknown = await answer.json();
      const isDescribed = isPublished(path, method, answer.status, body);
      expect([method, path, answer.status, isDescribed, body]).toEqual([method, path, status, true, body]);
    }
  });
});
