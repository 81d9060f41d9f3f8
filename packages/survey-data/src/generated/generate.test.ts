import { formatTimestamp } from "@partner-connect/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readQuestion } from "../record/question-record.ts";
import { readResponse } from "../record/response-record.ts";
import { generateQuestions, generateResponses } from "./index.ts";

const YEAR = 365 * 86_400_000;
const records = [...generateResponses({ count: 2000 })].map((line) => JSON.parse(line));
const end = fc.integer({ min: YEAR, max: Date.parse("2025-01-01T00:00:00Z") });

test("generateResponses returns the requested number of records, all valid for an import and within the window", () => {
  const property = fc.property(fc.nat(60), fc.string(), end, (count, seed, to) => {
    const lines = [...generateResponses({ count, seed, to })];
    expect(lines).toHaveLength(count);
    let last = formatTimestamp(to - YEAR);
    for (const line of lines) {
      expect(line.indexOf("\n")).toBe(line.length - 1);
      const { insertedAt, updatedAt } = readResponse(line, to);
      expect([last, insertedAt, updatedAt]).toEqual([last, insertedAt, updatedAt].toSorted());
      expect(Date.parse(String(updatedAt))).toBeLessThan(to);
      last = String(insertedAt);
    }
  });
  fc.assert(property);
});

test("generated records of an order share its fields, as choices at a question or as an answer and its follow-up", () => {
  const orders = Map.groupBy(records, (one) => [one.order_id, one.email, one.order_total].join());
  const sizes = [...orders.values()].map((order) => order.length);
  expect(new Set(sizes)).toEqual(new Set([1, 2, 3]));
  expect(new Set(records.map(({ order_id }) => order_id)).size).toBe(orders.size);
  for (const [at, one] of records.entries())
    if (one.clarification_question)
      expect(one.referring_question_response_id).toBe(records[at - 1].response_id);
});

test("a generated record that was recategorized has another option of its question", () => {
  const given = records.filter(({ question_id }) => question_id === 1004);
  const options = new Set(["Myself", "A gift", "My home", "My office"]);
  expect(new Set(given.map(({ response }) => response))).toEqual(options);
});

test("generated questions are valid for an import, and have the start of the window as inserted_at", () => {
  for (const line of generateQuestions({ to: 2 * YEAR })) {
    expect(readQuestion(line, 2 * YEAR)).toMatchObject({ insertedAt: formatTimestamp(YEAR) });
  }
});

test("the default seed generates the same first record on every machine", () => {
  const [first = ""] = generateResponses({ count: 10 });
  expect(JSON.parse(first)).toMatchObject({
    id: "res_018d4173212d7075871160951daeec3f",
    inserted_at: "2024-01-25T16:28:00.685Z",
  });
});
