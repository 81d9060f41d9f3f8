import fc from "fast-check";
import { expect, test } from "vitest";
import { type Chunks, splitLines } from "./split-lines.ts";

async function linesOf(chunks: Chunks, maxBytes = 1000): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of splitLines(chunks, maxBytes)) lines.push(...block);
  return lines;
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test("the lines are the same wherever the bytes are cut", async () => {
  const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\n\uFEFF]/g, " ")));
  const property = fc.asyncProperty(text, fc.array(fc.nat()), fc.boolean(), async (lines, places, ended) => {
    const whole = lines.join("\n") + (ended && lines.at(-1) ? "\n" : "");
    const expected = whole === "" ? [] : whole.replace(/\n$/, "").split("\n");
    expect(await linesOf(cut(Buffer.from(whole), places), 10_000)).toEqual(expected);
  });
  await fc.assert(property);
});

test("text and bytes may be mixed, and a byte order mark is not part of the first line", async () => {
  expect(await linesOf(["\uFEFFa\nb", Buffer.from("b\n\nc")])).toEqual(["a", "bb", "", "c"]);
});

test("bytes that are not UTF-8 are refused by their line, in a chunk of many lines and across chunks", async () => {
  const bad = Buffer.concat([Buffer.from("one\ntwo\nthr"), Buffer.from([0xff]), Buffer.from("\nfour\n")]);
  await expect(linesOf([bad])).rejects.toThrow("line 3: is not UTF-8");
  await expect(linesOf(["zero\n", ...cut(bad, [2, 9])])).rejects.toThrow("line 4: is not UTF-8");
  await expect(linesOf(["one\n", Buffer.from("é").subarray(0, 1)])).rejects.toThrow("line 2: is not UTF-8");
});

test("a line beyond the bound is refused, also one that never ends", async () => {
  await expect(linesOf([`ok\n${"x".repeat(1025)}\n`], 1024)).rejects.toThrow("line 2: is longer than 1 KiB");
  await expect(linesOf([`ok\n${"é".repeat(513)}\n`], 1024)).rejects.toThrow("line 2: is longer than 1 KiB");
  const endless = (function* () {
    for (;;) yield "x".repeat(100);
  })();
  await expect(linesOf(endless, 1024)).rejects.toThrow("line 1: is longer than 1 KiB");
  expect(await linesOf(["é".repeat(512)], 1024)).toEqual(["é".repeat(512)]);
});
