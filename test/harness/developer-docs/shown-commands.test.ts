import { PassThrough } from "node:stream";
import {
  GUIDES,
  guideText,
  inlineCodeOf,
  snippetsOf,
} from "@partner-connect/developer-docs/testing";
import { run } from "@partner-connect/operator-cli";
import { expect, test } from "vitest";

/**
 * `partner-connect webhook add --client CLIENT`, wherever it stands and whether it is run or not.
 */
const COMMAND = /partner-connect(?: -s)?((?: [a-z][a-z-]*)+)([^\n`]*)/g;

test("every command of partner-connect that the guides show exists, with its options", async () => {
  const texts = GUIDES.flatMap((guide) => [
    ...inlineCodeOf(guideText(guide)),
    ...snippetsOf(guideText(guide)).map(({ text }) => text),
  ]);
  const commands = texts.flatMap((text) =>
    [...text.matchAll(COMMAND)].map(([, words = "", rest = ""]) => ({
      words: words.trim().split(" "),
      rest,
    })),
  );
  expect(commands.length).toBeGreaterThan(1);
  for (const { words, rest } of commands) {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    await run([...words, "--help"], { stdin, stdout, stderr }, {});
    const help = String(stdout.read());
    expect([words.join(" "), help]).toEqual([
      words.join(" "),
      expect.stringContaining(`Usage: partner-connect ${words.slice(0, 2).join(" ")}`),
    ]);
    for (const option of rest.match(/--[a-z-]+/g) ?? []) expect(help).toContain(option);
  }
});
