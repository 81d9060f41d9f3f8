import { formatTimestamp } from "@partner-connect/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readQuestion } from "../record/question-record.ts";
import { readResponse } from "../record/response-record.ts";
import { generateQuestions, generateResponses } from "./index.ts";

const YEAR = 365 * 86_400_000;
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
