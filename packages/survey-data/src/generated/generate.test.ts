import { describe, expect, test } from "vitest";
import { generateQuestions, generateResponses } from "./generate.ts";

type Generated = Record<string, string | number | boolean | undefined>;

function records(options: Parameters<typeof generateResponses>[0]): Generated[] {
  return [...generateResponses(options)].map((line) => JSON.parse(line));
}

test("the same options give the same bytes, another seed gives others", () => {
  const lines = (seed: string) => [...generateResponses({ count: 300, seed })].join("");
  expect(lines("a")).toBe(lines("a"));
  expect(lines("a")).not.toBe(lines("b"));
});

test("the first record of the default seed is this one, on every machine", () => {
  expect(records({ count: 10 })[0]).toMatchObject({
    id: "res_018d4173212d7075871160951daeec3f",
    inserted_at: "2024-01-25T16:28:00.685Z",
  });
});

test("an empty window is refused", () => {
  expect(() => [...generateResponses({ count: 1, from: 5, to: 5 })]).toThrow(RangeError);
});

describe("10,000 responses", () => {
  const made = records({ count: 10_000 });
  const moved = made.filter((record) => record["updated_at"] !== record["inserted_at"]);

  test("have ids of their own that sort by time", () => {
    const ids = made.map((record) => String(record["id"]));
    expect(new Set(ids).size).toBe(10_000);
    for (const [index, record] of made.entries()) {
      const before = made[index - 1];
      if (before && before["inserted_at"] !== record["inserted_at"])
        expect(ids[index - 1]?.localeCompare(String(ids[index]))).toBe(-1);
    }
  });

  test("share some insertion times, and many update times after the monthly clean-ups", () => {
    expect(new Set(made.map((record) => record["inserted_at"])).size).toBeLessThan(9_000);
    const cleanups = new Map<unknown, number>();
    for (const record of moved) cleanups.set(record["updated_at"], (cleanups.get(record["updated_at"]) ?? 0) + 1);
    expect([...cleanups.values()].filter((rows) => rows > 30).length).toBeGreaterThanOrEqual(10);
  });

  test("were recategorized in about one case of eight, and those say what was answered first", () => {
    expect(moved.length).toBeGreaterThan(1_000);
    expect(moved.length).toBeLessThan(1_500);
    for (const record of moved) {
      expect(record["original_response"]).toBeTypeOf("string");
      expect(record["original_response"]).not.toBe(record["response"]);
    }
    for (const record of made) {
      if (record["updated_at"] === record["inserted_at"]) expect(record["original_response"]).toBeUndefined();
    }
  });

  test("are about 800 bytes each", () => {
    const bytes = made.reduce((sum, record) => sum + JSON.stringify(record).length, 0) / made.length;
    expect(bytes).toBeGreaterThan(700);
    expect(bytes).toBeLessThan(900);
  });

  test("answer the generated questions, with options that those offer", () => {
    const questions = [...generateQuestions()].map((line) => JSON.parse(line));
    for (const record of made) {
      const question = questions.find((candidate) => candidate.id === record["question_id"]);
      expect(record["question"]).toBe(question.prompt);
      const values = question.responses.map((option: { id: number }) => option.id);
      if (record["response_id"] !== undefined) expect(values).toContain(record["response_id"]);
    }
  });
});
