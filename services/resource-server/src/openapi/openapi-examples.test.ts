import {
  type ApiDocument,
  type Differences,
  describedAnswers,
  differencesFrom,
  kindOf,
  operationOf,
  operationsIn,
  received,
  recipesOf,
  resolved,
  schemaProblems,
} from "@partner-connect/contract/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asking, type ExampleWorld, exampleWorld } from "./testing.ts";

let world: ExampleWorld;
let document: ApiDocument;
let operations: readonly string[];
let differences: Differences;

beforeAll(async () => {
  world = await exampleWorld();
  document = (await (await world.ask("getOpenApi")).json()) as ApiDocument;
  operations = [...operationsIn(world.server.app.swagger() as object as ApiDocument).keys()];
  differences = differencesFrom(document);
});

afterAll(() => world.close());

type Recipe = (operationId: string) => Promise<Response>;

const asks =
  (asking: Asking): Recipe =>
  (operation) =>
    world.ask(operation, asking);
const body = (value: unknown): Asking => ({ body: JSON.stringify(value) });
const FULL = {
  name: "Slow Mornings",
  type: "podcast",
  external_id: "show-112",
  url: "https://slowmornings.example/",
  aliases: ["slow mornings pod"],
};

/** How each example is had. Those of an answer that several operations share are had from each of them. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  "401 unauthorized": asks({ authorization: "Bearer eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl" }),
  "403 forbidden": (operation) => world.askRevoked(operation),
  "403 insufficient_scope": async (operation) => {
    const scope = operation === "createSource" ? "responses:read" : "sources:write";
    const token = await world.server.issuer.sign(world.server.claims(world.shop, { scope }));
    return await world.ask(operation, { authorization: `Bearer ${token}` });
  },
  "429 too_many_requests": (operation) => world.askTooOften(operation),
  "500 internal_error": (operation) => world.askWithDefect(operation),
  "503 unavailable": (operation) => world.askWithoutPostgres(operation),
  "listQuestions 400 limit": asks({ query: "?limit=0" }),

  "getConnection 200 access_token": asks({}),
  "getConnection 200 api_key": () => world.ask("getConnection", { authorization: world.shop.apiKey }),

  "listResponses 200 first_page": asks({ query: "?limit=1&sort=updated_at_asc" }),
  "listResponses 200 last_page": async (operation) => {
    const first = await world.ask(operation, { query: "?limit=1&sort=updated_at_asc" });
    const { next } = (await first.json()) as { next: string };
    return await world.ask(operation, { query: new URL(next).search });
  },
  "listResponses 400 limit": asks({ query: "?limit=0" }),
  "listResponses 400 cursors": asks({ query: "?starting_after=a&ending_before=b" }),
  "listResponses 400 unknown_cursor": asks({ query: "?starting_after=res_of_another_shop" }),
  "listResponses 400 sort": asks({ query: "?sort=newest" }),
  "listResponses 400 time": asks({ query: "?updated_at_min=yesterday" }),

  "listDeletedResponses 200 page": asks({ query: "?limit=1" }),
  "listDeletedResponses 400 unknown_cursor": asks({ query: "?starting_after=res_of_long_ago" }),
  "listDeletedResponses 400 cursor_time": asks({ query: "?cursor_time=2024-03-05T14:30:00.000Z" }),

  "listQuestions 200 all": asks({}),

  "createSource 201 created": asks(body({ ...FULL, external_id: "show-111" })),
  "createSource 200 updated": async (operation) => {
    await world.ask(operation, body(FULL));
    return await world.ask(operation, body(FULL));
  },
  "createSource 400 missing": asks(body({ type: "podcast" })),
  "createSource 400 type": asks(body({ name: "A", type: "radio" })),
  "createSource 400 no_object": asks(body([])),
  "createSource 413 payload_too_large": asks(body({ name: "x".repeat(33 * 1024), type: "podcast" })),
  "createSource 415 unsupported_media_type": asks({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "name=A",
  }),
  "createSource 422 idempotency_key_reused": async (operation) => {
    const headers = { "idempotency-key": "once" };
    await world.ask(operation, { headers, ...body(FULL) });
    return await world.ask(operation, { headers, ...body({ ...FULL, name: "Another" }) });
  },
  "getOpenApi 200": asks({}),
  "getOpenApi 304": async (operation) => {
    const { headers } = await world.ask(operation);
    return await world.ask(operation, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  },
  "getProtectedResourceMetadata 200 metadata": asks({}),
  "getProtectedResourceMetadataAtRoot 200 metadata": asks({}),
};

test("every answer of the document is one that the API really gives, and is what its example shows", async () => {
  for (const [name, example, recipe] of recipesOf(describedAnswers(document, operations), RECIPES)) {
    const answer = await received(await recipe(example.operationId));
    expect([name, answer.status, differences(example.operationId, answer)]).toEqual([name, example.status, []]);
    if (example.name === null) continue;
    const shown = JSON.parse(answer.body);
    // Errors, records that were imported as they are, and links are the very same; what we make up, such as an id, is of the same kind.
    const madeUp = /^(getConnection|createSource) 20/.test(name);
    expect([name, madeUp ? kindOf(shown) : shown]).toEqual([name, madeUp ? kindOf(example.value) : example.value]);
  }
}, 60_000);

test("every example of a parameter or body is one that is taken", async () => {
  for (const operationId of operations) {
    const { parameters = [], requestBody } = operationOf(document, operationId);
    for (const { name, in: place, example, schema: described } of parameters) {
      expect([operationId, name, schemaProblems(described)(example)]).toEqual([operationId, name, []]);
      const cursor = name === "cursor_time" ? `&starting_after=${cursorOf(parameters)}` : "";
      const sent =
        place === "query"
          ? { query: `?${name}=${encodeURIComponent(String(example))}${cursor}` }
          : { headers: { [name]: String(example) } };
      const answer = await received(await world.ask(operationId, sent));
      expect([operationId, name, answer.body.slice(0, 200), Math.floor(answer.status / 100)]).toEqual([
        operationId,
        name,
        answer.body.slice(0, 200),
        2,
      ]);
    }
    for (const { value } of Object.values(requestBody?.content["application/json"]?.examples ?? {})) {
      const answer = await world.ask(operationId, body(value));
      expect([operationId, value, Math.floor(answer.status / 100)]).toEqual([operationId, value, 2]);
    }
  }
});

const cursorOf = (parameters: readonly { name: string; example?: unknown }[]): unknown =>
  parameters.find(({ name }) => name === "starting_after")?.example;

test("every field is described, with an example that its schema takes", () => {
  const check = (where: string, fields: Readonly<Record<string, Field>> = {}): void => {
    for (const [name, field] of Object.entries(fields)) {
      const { examples = [], description, properties, items } = field;
      const isLeaf = !properties && !items?.properties;
      expect([where, name, typeof description, isLeaf ? examples.length : 1]).toEqual([where, name, "string", 1]);
      for (const example of examples) {
        expect([where, name, schemaProblems({ ...field })(example)]).toEqual([where, name, []]);
      }
      check(`${where}.${name}`, properties);
      check(`${where}.${name}[]`, items?.properties);
    }
  };
  const schemas = resolved(document.components.schemas, document) as Readonly<Record<string, Field>>;
  for (const [name, { properties }] of Object.entries(schemas)) check(name, properties);
});

interface Field {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}
