import { afterAll, beforeAll, expect, test } from "vitest";
import { type Programs, programsFolder } from "../../harness/developer-docs/programs.ts";
import { GUIDES, type Reading, readGuide } from "../../harness/developer-docs/read-guide.ts";
import { type ReaderWorld, readerWorld } from "../../harness/developer-docs/reader-world.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

/** `test/clients/libraries.nightly.test.ts` runs the programs of the other one. */
const READ = GUIDES.filter((guide) => guide !== "libraries");

let world: ReaderWorld;
let programs: Programs;
const readings: Reading[] = [];

beforeAll(async () => {
  [world, programs] = await Promise.all([readerWorld(mainStack()), programsFolder(mainStack().base_url)]);
});
afterAll(() => programs?.remove());

test.each(READ)("every command and program of the guide '%s' works, and answers as it shows", async (guide) => {
  const reading = await readGuide(guide, world, programs);
  readings.push(reading);
  expect(reading.problems).toEqual([]);
});

test("the blocks were run or compared", () => {
  const sum = (count: (reading: Reading) => number) => readings.reduce((total, reading) => total + count(reading), 0);
  expect(readings).toHaveLength(READ.length);
  expect(sum(({ run }) => run)).toBeGreaterThan(20);
  expect(sum(({ compared }) => compared)).toBeGreaterThan(15);
});
