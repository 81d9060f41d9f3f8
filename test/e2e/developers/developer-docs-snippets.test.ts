import { afterAll, beforeAll, expect, test } from "vitest";
import { type Programs, programsFolder } from "../../harness/developer-docs/programs.ts";
import { GUIDES, type Reading, readGuide } from "../../harness/developer-docs/read-guide.ts";
import { type ReaderWorld, readerWorld } from "../../harness/developer-docs/reader-world.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

let world: ReaderWorld;
let programs: Programs;
const readings: Reading[] = [];

beforeAll(async () => {
  [world, programs] = await Promise.all([readerWorld(mainStack()), programsFolder()]);
});
afterAll(() => programs?.remove());

test.each(GUIDES.map((guide) => [guide || "overview", guide] as const))(
  "every command and program of the guide '%s' works, and answers as it shows [docs.snippets]",
  async (_, guide) => {
    const reading = await readGuide(guide, world, programs);
    readings.push(reading);
    expect(reading.problems).toEqual([]);
  },
);

test("few blocks are left out, and all others were run or compared [docs.snippets]", () => {
  const sum = (count: (reading: Reading) => number) => readings.reduce((total, reading) => total + count(reading), 0);
  expect(readings).toHaveLength(GUIDES.length);
  expect(sum(({ skipped }) => skipped)).toBe(5);
  expect(sum(({ run }) => run)).toBeGreaterThan(20);
  expect(sum(({ compared }) => compared)).toBeGreaterThan(15);
});
