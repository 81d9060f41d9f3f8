import { expect, test } from "vitest";
import { generateResponses } from "./generate.ts";

type Generated = Record<string, string | number | boolean | undefined>;

function records(options: Parameters<typeof generateResponses>[0]): Generated[] {
  return [...generateResponses(options)].map((line) => JSON.parse(line));
}

test("the first record of the default seed is this one, on every machine", () => {
  expect(records({ count: 10 })[0]).toMatchObject({
    id: "res_018d4173212d7075871160951daeec3f",
    inserted_at: "2024-01-25T16:28:00.685Z",
  });
});

test("an empty window is refused", () => {
  expect(() => [...generateResponses({ count: 1, from: 5, to: 5 })]).toThrow(RangeError);
});
