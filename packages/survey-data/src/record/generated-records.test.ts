import { formatTimestamp } from "@partner-connect/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateQuestions, generateResponses } from "../generated/index.ts";
import { readQuestion } from "./question-record.ts";
import { readResponse } from "./response-record.ts";

const END = Date.parse("2025-01-01T00:00:00Z");

test("there are as many generated responses as asked for, each one an import takes, in any window", () => {
  const window = fc.tuple(fc.integer({ min: 0, max: END }), fc.integer({ min: 1, max: 1e11 }));
  const property = fc.property(fc.nat(60), fc.string(), window, (count, seed, [from, length]) => {
    const lines = [...generateResponses({ count, seed, from, to: from + length })];
    expect(lines).toHaveLength(count);
    let last = formatTimestamp(from);
    for (const line of lines) {
      expect(line.indexOf("\n")).toBe(line.length - 1);
      const { insertedAt, updatedAt } = readResponse(line, from + length);
      expect([last, insertedAt, updatedAt]).toEqual([last, insertedAt, updatedAt].toSorted());
      expect(Date.parse(String(updatedAt))).toBeLessThan(from + length);
      last = String(insertedAt);
    }
  });
  fc.assert(property);
});

test("the generated questions are ones that an import takes, published when the window began", () => {
  for (const line of generateQuestions({ from: END - 1000 })) {
    expect(readQuestion(line, END)).toMatchObject({ insertedAt: formatTimestamp(END - 1000) });
  }
});
