import { expect, test, vi } from "vitest";
import { INSERTED_AT, NO_TIMES, UPDATED_AT } from "./record-reader.ts";
import {
  RESPONSE_FIELDS,
  readDeletion,
  readProductResponse,
  readResponse,
} from "./response-record.ts";

const NOW = Date.parse("2026-11-21T00:00:00Z");
const MINIMAL = { question: "How did you hear about us?", response: "Podcast" };

function read(record: object) {
  return readResponse(JSON.stringify(record), NOW);
}

test("a response is stored with every field in the served order, and null for absent fields", () => {
  const incoming = read({
    ...MINIMAL,
    id: "r1",
    other: false,
    order_total: "12.50",
    question_id: 7,
  });
  expect(incoming).toMatchObject({ id: "r1", version: null, isIncomplete: false });
  expect(incoming.doc).toContain(NO_TIMES);
  const doc: object = JSON.parse(incoming.doc);
  expect(Object.keys(doc)).toEqual(RESPONSE_FIELDS.map((field) => field.name));
  expect(doc).toMatchObject({
    id: "r1",
    ...MINIMAL,
    other: false,
    order_total: "12.50",
    question_id: 7,
    email: null,
  });
});

test("a response record has the 39 specified fields, beginning with id, inserted_at and updated_at", () => {
  expect(RESPONSE_FIELDS.map((field) => field.name).join(" ")).toBe(
    "id inserted_at updated_at response_provided_at question_id question question_type response response_id " +
      "response_position other other_response original_response clarification_question referring_question " +
      "referring_question_id referring_question_response referring_question_response_id submit_delta customer_id " +
      "customer_order_count email order_id order_number order_platform order_source order_currency_code order_total " +
      "order_total_usd coupon_code coupon_type coupon_amount landing_page_path referring_site utm_campaign " +
      "utm_content utm_medium utm_source utm_term",
  );
  expect(RESPONSE_FIELDS.slice(1, 3)).toEqual([INSERTED_AT, UPDATED_AT]);
});

test("a record without an id gets an id that sorts after earlier generated ids", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = read(MINIMAL).id;
  vi.advanceTimersByTime(10);
  const second = read(MINIMAL).id;
  expect(first).toMatch(/^res_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  expect(second > first).toBe(true);
});

test("a field with null counts as absent", () => {
  expect(() => read({ ...MINIMAL, id: null, inserted_at: null, order_total: null })).not.toThrow();
  expect(() => read({ question: "", question_id: 7, other_response: "x" })).not.toThrow();
  expect(() => read({ question: null, question_id: null, response: "x" })).toThrow();
});

test("inserted_at, with or without an equal updated_at, may be up to a second ahead of the clock", () => {
  const insertedAt = "2026-11-21T00:00:01.000Z";
  for (const updatedAt of [null, insertedAt]) {
    const record = { ...MINIMAL, inserted_at: insertedAt, updated_at: updatedAt };
    expect(read(record)).toMatchObject({ insertedAt, updatedAt });
  }
});

test("an amount may have up to 18 integer digits and 8 decimals", () => {
  for (const amount of ["0", "-1", "12.5", "123456789012345678.12345678"])
    expect(read({ ...MINIMAL, order_total: amount }).doc).toContain(`"order_total":"${amount}"`);
});

test("a record's times are stored in UTC with milliseconds", () => {
  expect(read({ ...MINIMAL, response_provided_at: "2026-11-20T23:30:00.12345+01:00" }).doc).toMatch(
    '"response_provided_at":"2026-11-20T22:30:00.123Z"',
  );
});

test("an order number that is given as a JSON number is stored as a string of its digits", () => {
  expect(read({ ...MINIMAL, order_number: 1001, customer_id: "c-7" }).doc).toMatch(
    '"order_number":"1001"',
  );
});

const REFUSED: [fields: object, message: string][] = [
  [{ respons: "x" }, '"respons" is not a field of this record'],
  [{ version: 1 }, '"version" is not a field of this record'],
  [JSON.parse('{"__proto__":1}'), '"__proto__" is not a field'],
  [{ "\u001b[2J": 1 }, '"\\u001b[2J" is not'],
  [{ question: undefined }, "question or question_id is required"],
  [{ question: "" }, "question or question_id is required"],
  [{ response: undefined }, "response or other_response is required"],
  [{ id: 7 }, "id must be a string"],
  [{ id: "" }, "id is empty"],
  [{ id: "x".repeat(65) }, "id is longer than 64 characters"],
  [{ id: "a\nb" }, "id has a control character"],
  [{ email: 7 }, "email must be a string"],
  [{ response: "a\0b" }, "response has a NUL character"],
  [{ response: "a\ud800" }, "response has a lone surrogate"],
  [{ question_id: "7" }, "question_id must be an integer"],
  [{ response_id: 1.5 }, "response_id must be an integer"],
  [{ response_id: 2 ** 53 }, "response_id must be an integer"],
  [{ order_id: 2 ** 53 }, "order_id is not an exact integer: send it as a string"],
  [{ order_total: 12.5 }, "order_total must be a decimal number as a string"],
  [{ order_total: "1e3" }, "order_total must be a decimal number as a string"],
  [{ order_total: "1234567890123456789" }, "order_total must be a decimal number as a string"],
  [{ order_total: "1.123456789" }, "order_total must be a decimal number as a string"],
  [{ other: "true" }, "other must be true or false"],
  [{ response: ["x"] }, "response must be a string"],
  [{ inserted_at: "2026-11-20" }, "inserted_at must be an RFC 3339 time"],
  [{ updated_at: NOW }, "updated_at must be an RFC 3339 time"],
  [{ updated_at: ["2026-11-20T00:00:00Z"] }, "updated_at must be an RFC 3339 time"],
  [{ inserted_at: "2026-11-21T00:00:01.001Z" }, "inserted_at is in the future"],
  [{ updated_at: "2027-01-01T00:00:00Z" }, "updated_at is in the future"],
  [{ response_provided_at: "2027-01-01T00:00:00Z" }, "response_provided_at is in the"],
  [
    { inserted_at: "2026-11-20T00:00:00.001Z", updated_at: "2026-11-20T00:00:00Z" },
    "updated_at is before inserted_at",
  ],
];
test("a record that breaks a rule is refused with the name of the field", () => {
  for (const [fields, message] of REFUSED) {
    const record = Object.assign(Object.create(null), MINIMAL);
    for (const [name, value] of Object.entries(fields))
      Object.defineProperty(record, name, { value, enumerable: true });
    expect(() => read(record), JSON.stringify(fields)).toThrow(message);
  }
  for (const line of ["[]", "null", '"x"', "{", '{"question":"a"}{}'])
    expect(() => readResponse(line, NOW), line).toThrow(SyntaxError);
});

test("an id may have 64 characters, even if each takes two UTF-16 units", () => {
  expect(read({ ...MINIMAL, id: "🧘".repeat(64) }).id).toBe("🧘".repeat(64));
  expect(() => read({ ...MINIMAL, id: "🧘".repeat(65) })).toThrow(
    "id is longer than 64 characters",
  );
});

test("a response from the survey product may have ids in place of the texts of its question and option", () => {
  const product = (record: object) =>
    readProductResponse(JSON.stringify({ id: "r1", ...record }), NOW);
  for (const [record, version, isIncomplete] of [
    [{ ...MINIMAL, version: 0 }, 0, false],
    [{ question_id: 7, response_id: 1 }, null, true],
    [{ question_id: 7, response: "Podcast" }, null, true],
  ] as const)
    expect(product(record)).toMatchObject({ id: "r1", version, isIncomplete });
  for (const [record, message] of [
    [{ ...MINIMAL, id: null }, "id is required"],
    [{ response: "Podcast" }, "question or question_id is required"],
    [{ question_id: 7 }, "response or other_response is required"],
    [{ ...MINIMAL, response: "", response_id: 1 }, "response or other_response is required"],
    [{ ...MINIMAL, updated_at: "2026-01-01T00:00:00Z" }, "updated_at is the time at which"],
    [{ ...MINIMAL, version: -1 }, "version must be 0 or more"],
    [{ ...MINIMAL, version: 2 ** 53 }, "version must be an integer"],
  ] as const)
    expect(() => product(record), message).toThrow(message);
});

test("a deletion has an id, an optional version, and no other field", () => {
  expect(readDeletion('{"id":"r1","version":3}', NOW)).toMatchObject({ id: "r1", version: 3 });
  expect(() => readDeletion('{"version":3}', NOW)).toThrow("id is required");
  expect(() => readDeletion('{"id":"r1","question":"x"}', NOW)).toThrow("is not a field");
});
