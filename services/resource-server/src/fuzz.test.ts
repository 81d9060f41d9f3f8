import { differencesFrom, received } from "@partner-connect/contract/testing";
import { generateQuestions, generateResponses } from "@partner-connect/survey-data/generated";
import { shopKeeper } from "@partner-connect/survey-data/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { suiteServer } from "./testing.ts";

const server = await suiteServer();
const differences = differencesFrom(
  JSON.parse(await (await server.get("/api/openapi.json")).text()),
);
const shop = await server.newShop();
const keeper = shopKeeper(server.owner);
await keeper.importQuestions(shop.id, generateQuestions({}));
await keeper.importLines(shop.id, generateResponses({ count: 200 }));
const rows = await server.owner<
  { id: string }[]
>`SELECT id FROM survey.responses WHERE shop_id = ${shop.id}`;
const ids = rows.map(({ id }) => id);
await keeper.remove(shop.id, ids.slice(0, 10));

const NAMES = [
  ...["limit", "starting_after", "ending_before", "sort", "since", "until", "after", "before"],
  ...["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max", "cursor_time"],
  ...["deleted_at_min", "deleted_at_max"],
];

const SORTS = ["updated_at_asc", "updated_at_desc", "inserted_at_asc", "inserted_at_desc"];
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
);
const dateBetween = (min: string, max: string) =>
  fc
    .date({ noInvalidDate: true, min: new Date(min), max: new Date(max) })
    .map((date) => date.toISOString());
const time = fc.oneof(
  dateBetween("0001-01-01", "9999-12-31"),
  dateBetween("2025-06-01", "2026-12-01"),
  fc.constantFrom(
    "2026-01-01T00:00:00+23:59",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999-23:59",
    "infinity",
  ),
);
const anId = fc.nat().map((n) => ids[n % ids.length] ?? "");
const value = fc.oneof(
  text,
  time,
  anId,
  fc.integer({ min: -5, max: 1100 }).map(String),
  fc.bigInt().map(String),
  fc.constantFrom(...SORTS),
  fc.constantFrom(
    ...["'", "\0", "%00", "1;DROP TABLE survey.responses", "$1", "null", "NaN", "\ud800"],
    ...["[]", "{}"],
  ),
);
/** A value that fits its parameter, more often than not. */
const fitting = (name: string): fc.Arbitrary<string> => {
  if (name === "limit") return fc.integer({ min: 1, max: 1000 }).map(String);
  if (name === "sort") return fc.constantFrom(...SORTS);
  return /_m..$|since|until|_time$/.test(name) ? time : anId;
};
const encode = (raw: string): string => encodeURIComponent(raw.toWellFormed());
const parameter = fc.constantFrom(...NAMES, "x", "__proto__", "limit[]").chain((name) =>
  fc.oneof(
    { weight: 5, arbitrary: fitting(name).map((fit) => `${name}=${encode(fit)}`) },
    { weight: 2, arbitrary: value.map((any) => `${name}=${encode(any)}`) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: fc.constantFrom(...'abc%0=&+;[]zF2"<>') })
        .map((raw) => `${name}=${raw}`),
    },
  ),
);
const OPERATIONS = {
  "/api/responses": "listResponses",
  "/api/questions": "listQuestions",
  "/api/deleted-responses": "listDeletedResponses",
} as const;
const request = fc.record({
  path: fc.constantFrom(
    "/api/responses",
    "/api/responses",
    "/api/questions",
    "/api/deleted-responses",
  ),
  query: fc.array(parameter, { maxLength: 6 }).map((parameters) => parameters.join("&")),
});

const [QUERIES, BODIES] = process.env["TEST_NIGHTLY"] ? [20_000, 10_000] : [400, 200];

test(`none of ${QUERIES} random list queries causes a fault or a response that violates the published schema`, async () => {
  const property = fc.asyncProperty(request, async ({ path, query }) => {
    const response = await server.get(`${path}?${query}`, shop.apiKey);
    const answer = await received(response);
    expect([200, 400]).toContain(answer.status);
    expect([answer.body, differences(OPERATIONS[path], answer)]).toEqual([answer.body, []]);
  });
  await fc.assert(property, { numRuns: QUERIES });
}, 600_000);

test(`none of ${BODIES} random bodies of POST /api/sources causes a fault or a response that violates the published schema`, async () => {
  const field = fc.constantFrom("name", "type", "external_id", "url", "aliases", "x", "__proto__");
  const content = fc.oneof(
    text,
    fc.jsonValue(),
    fc.constantFrom("tv", "https://x.example", null),
    fc.array(text, { maxLength: 3 }),
  );
  const likely = fc.record(
    {
      name: text,
      type: fc.constantFrom("tv", "other"),
      external_id: text,
      aliases: fc.array(text),
    },
    { requiredKeys: ["name", "type"] },
  );
  const body = fc.oneof(
    fc.json(),
    text,
    fc.dictionary(field, content).map((record) => JSON.stringify(record)),
    likely.map((record) => JSON.stringify(record)),
  );
  const property = fc.asyncProperty(body, async (sent) => {
    const headers = { authorization: shop.apiKey, "content-type": "application/json" };
    const response = await fetch(`${server.url}/api/sources`, {
      method: "POST",
      headers,
      body: sent,
    });
    const answer = await received(response);
    expect([200, 201, 400, 413]).toContain(answer.status);
    expect([answer.body, differences("createSource", answer)]).toEqual([answer.body, []]);
  });
  await fc.assert(property, { numRuns: BODIES });
}, 300_000);
