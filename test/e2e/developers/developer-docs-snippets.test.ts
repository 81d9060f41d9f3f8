import { afterAll, beforeAll, expect, test } from "vitest";
import { type Programs, programsFolder } from "../../harness/developer-docs/programs.ts";
import { GUIDES, type Reading, readGuide } from "../../harness/developer-docs/read-guide.ts";
import { type ReaderWorld, readerWorld } from "../../harness/developer-docs/reader-world.ts";
import { referenceGuide } from "../../harness/developer-docs/reference-samples.ts";
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
  expect(sum(({ outputs }) => outputs.length)).toBeGreaterThan(20);
  expect(sum(({ compared }) => compared)).toBeGreaterThan(15);
});

test("every sample of the reference works: a request in the shell, and the programs of each language", async () => {
  // One after another, as each ends with the revocation, with the shop that grants both scopes.
  const reader = { ...world, shop: world.advancedShop, shopOf: {} };
  const { problems, outputs } = await readGuide("samples", reader, programs, referenceGuide());
  expect(problems).toEqual([]);
  expect(outputs.filter((output) => /["']error["']|^HTTP\S+ [45]/m.test(output))).toEqual([]);
});
