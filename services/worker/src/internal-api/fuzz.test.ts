import { onboardShop } from "@partner-connect/directory/testing";
import { QUESTION_FIELDS, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import fc from "fast-check";
import { expect, test } from "vitest";
import { suiteInternalApi } from "./testing.ts";

const { app, owner, call } = await suiteInternalApi();
const shopId = await onboardShop(owner);
const known = {
  merchants: "m1",
  shops: shopId,
  responses: "r1",
  connections: "c1",
  questions: "7",
};
await call("PUT", "/internal/merchants/m1", { email: "m1@shop.example", name: "M" });

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 90 }),
  fc.constantFrom(
    ...["", "\0", "\u{e0041}", "\u00ad", "a\ud800", "x".repeat(9000)],
    "x".repeat(70_000),
    "9".repeat(400),
  ),
);
const time = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date("0001-01-01"), max: new Date("9999-12-31") })
    .map((date) => date.toJSON()),
  fc.constantFrom(
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.9999-23:59",
    "2016-12-31T23:59:60Z",
    "infinity",
  ),
);
const value = fc.oneof(
  ...[text, time, fc.jsonValue(), fc.integer(), fc.double(), fc.boolean(), fc.maxSafeInteger()],
  fc.constantFrom(
    ...[null, 2 ** 53, -1, 2 ** 31, 1e308, "standard", "active", "7", "r1"],
    ...["m1@shop.example", "é@ß.example"],
  ),
);
const recordOf = (names: readonly string[], likely: object) =>
  fc
    .dictionary(fc.constantFrom(...names, "version", "x", "constructor"), value, { maxKeys: 4 })
    .map((record) => ({ ...likely, ...record }));
const BODIES = {
  merchants: recordOf(["email", "name", "status"], { email: "m1@shop.example", name: "M" }),
  shops: recordOf(["name", "domain", "plan"], { name: "Hats", domain: null, plan: "standard" }),
  category: recordOf(["response"], { response: "TV" }),
  responses: recordOf(
    RESPONSE_FIELDS.map(({ name }) => name),
    { id: "r1", question: "Who?", response: "TV" },
  ),
  questions: recordOf(
    QUESTION_FIELDS.map(({ name }) => name),
    { id: 7, prompt: "Who?" },
  ),
};
const sizes = fc.constantFrom(
  "x".repeat(7500),
  "\u0001".repeat(1300),
  "\u007f".repeat(8000),
  "é".repeat(4000),
);
const largest = fc
  .constantFrom("other_response", "email", "question")
  .map((name) => ({ id: "r1", question: "Who?", response: "TV", [name]: "x".repeat(65_400) }));

const { paths } = app.swagger() as { paths: Record<string, Record<string, unknown>> };
const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
);

const id = (path: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(known[path as keyof typeof known]) },
    {
      weight: 1,
      arbitrary: text.map((any) => encodeURIComponent(any.slice(0, 2000).toWellFormed())),
    },
  );
const body = ({ path, method }: (typeof OPERATIONS)[number]): fc.Arbitrary<string> => {
  const any = fc.oneof(fc.json(), text);
  const [kind] = path.match(/[a-z]+$/) ?? [];
  if (method === "PATCH")
    return fc.oneof(
      any,
      BODIES.category.map((one) => JSON.stringify(one)),
      sizes.map((response) => JSON.stringify({ response })),
    );
  const record =
    BODIES[(kind ?? /([a-z]+)\/\{id\}$/.exec(path)?.[1] ?? "shops") as keyof typeof BODIES] ??
    BODIES.responses;
  if (method === "PUT")
    return fc.oneof(
      any,
      record.map((one) => JSON.stringify(one)),
    );
  const records = fc.array(kind === "responses" ? fc.oneof(record, largest) : record, {
    maxLength: 3,
  });
  const lines = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
  return fc.oneof(
    any,
    records.map(lines),
    records.map((all) => JSON.stringify(all)),
  );
};
const request = fc.constantFrom(...OPERATIONS).chain((operation) => {
  const parts = operation.path.split("/");
  const url = fc.tuple(
    ...parts.map((part, index) =>
      part.startsWith("{") ? id(parts[index - 1] ?? "") : fc.constant(part),
    ),
  );
  return fc.record({
    method: fc.constant(operation.method),
    url: url.map((all) => all.join("/")),
    query: fc.dictionary(
      fc.constantFrom("after", "limit", "version", "x"),
      fc.oneof(
        text.map((any) => any.toWellFormed()),
        fc.nat(2000).map(String),
      ),
      { maxKeys: 2 },
    ),
    type: fc.constantFrom(
      ...["application/json", "application/json", "application/x-ndjson"],
      ...["application/ndjson", "text/plain"],
    ),
    body: body(operation),
  });
});

const RUNS = process.env["TEST_NIGHTLY"] ? 20_000 : 400;

test(`each of ${RUNS} random requests to the internal API gets 2xx or 4xx`, async () => {
  const property = fc.asyncProperty(request, async ({ method, url, query, type, body: sent }) => {
    const parameters = new URLSearchParams(query);
    const payload = method === "GET" || method === "DELETE" ? undefined : sent;
    const answer = await call(method, `${url}?${parameters}`, payload, {
      headers: { "content-type": type },
    });
    expect([answer.body, String(answer.status)]).toEqual([
      answer.body,
      expect.stringMatching(/^[24]/),
    ]);
  });
  await fc.assert(property, { numRuns: RUNS });
}, 600_000);
