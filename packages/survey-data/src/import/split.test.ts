import fc from "fast-check";
import { expect, test } from "vitest";
import { splitArray } from "./split-array.ts";
import { BadLines, type Chunks, ImportError, splitLines } from "./split-lines.ts";

const collector = (split: typeof splitLines) => async (chunks: Chunks, maxBytes: number) => {
  const texts: string[] = [];
  for await (const block of split(chunks, maxBytes)) texts.push(...block);
  return texts;
};
const linesOf = collector(splitLines);
const elementsOf = collector(splitArray);

function* endless(begin: string) {
  yield begin;
  for (;;) yield "x".repeat(100);
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [
    ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test("the lines of a file are the same wherever its bytes are cut into chunks", async () => {
  const text = fc.array(
    fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\n\uFEFF]/g, " ")),
  );
  const property = fc.asyncProperty(
    text,
    fc.array(fc.nat()),
    fc.boolean(),
    async (lines, places, ended) => {
      const whole = lines.join("\n") + (ended && lines.at(-1) ? "\n" : "");
      const expected = whole === "" ? [] : whole.replace(/\n$/, "").split("\n");
      expect(await linesOf(cut(Buffer.from(whole), places), 10_000)).toEqual(expected);
    },
  );
  await fc.assert(property);
});

test("in mixed chunks of text and bytes, only a byte order mark at the start is removed", async () => {
  const lines = await linesOf(["\uFEFFa\uFEFF\nb", Buffer.from("b\n\n\uFEFFc")], 1000);
  expect(lines).toEqual(["a\uFEFF", "bb", "", "\uFEFFc"]);
  expect(await linesOf(["a\uFEFF"], 1000)).toEqual(["a\uFEFF"]);
  expect(await elementsOf(["\uFEFF[1,", Buffer.from("2]")], 1000)).toEqual(["1", "2"]);
});

test("bytes that are not UTF-8 are refused with their line number, within a chunk and across chunks", async () => {
  const bad = Buffer.concat([
    Buffer.from("one\ntwo\nthr"),
    Buffer.from([0xff]),
    Buffer.from("\nfour\n"),
  ]);
  await expect(linesOf([bad], 1000)).rejects.toThrow("line 3: is not UTF-8");
  await expect(linesOf(["zero\n", ...cut(bad, [2, 9])], 1000)).rejects.toThrow(
    "line 4: is not UTF-8",
  );
  for (const bytes of ["one\n\xff", "\n\xff\n"].map((text) => Buffer.from(text, "latin1")))
    await expect(linesOf([bytes], 1000)).rejects.toThrow("line 2: is not UTF-8");
});

test("a line that is longer than the limit is refused, even if the line never ends", async () => {
  await expect(linesOf([`ok\n${"x".repeat(1025)}\n`], 1024)).rejects.toThrow(
    "line 2: is longer than 1 KiB",
  );
  await expect(linesOf([`ok\n${"é".repeat(513)}\n`], 1024)).rejects.toThrow(
    "line 2: is longer than 1 KiB",
  );
  await expect(linesOf(endless(""), 1024)).rejects.toMatchObject({
    line: 1,
    message: "line 1: is longer than 1 KiB",
  });
  expect(await linesOf(["é".repeat(512)], 1024)).toEqual(["é".repeat(512)]);
});

test("array elements are those that JSON.parse finds, for every cut of the bytes and every indentation", async () => {
  const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 3 });
  const property = fc.asyncProperty(
    fc.array(value),
    fc.nat(3),
    fc.integer({ min: 1, max: 9 }),
    async (array, indent, size) => {
      const bytes = Buffer.from(` ${JSON.stringify(array, null, indent)}\n`);
      const chunks = cut(
        bytes,
        [...bytes.keys()].filter((place) => place % size === 0),
      );
      const elements = (await elementsOf(chunks, 10_000)).map((text) => JSON.parse(text));
      expect(elements).toEqual(JSON.parse(JSON.stringify(array)));
    },
  );
  await fc.assert(property);
});

test("neither delimiters within strings nor blanks around an array affect the array's elements", async () => {
  const texts = ['"],[\\",{"', `"${"x".repeat(1022)}"`];
  expect(await elementsOf([`[${texts}`, "]", " ".repeat(2000)], 1024)).toEqual(texts);
  expect(await elementsOf(["[ ]"], 1024)).toEqual([]);
});

test.each([
  ["", "line 1: is not in one JSON array: it has no end"],
  ["{}", "line 1: the body is not a JSON array"],
  ['[{"a":1}', "line 1: is not in one JSON array: it has no end"],
  ['[{"a":1},{"b":"]', "line 2: is not in one JSON array: it has no end"],
  ['[{"a":1}]]', "line 2: is not in one JSON array"],
  ['[{"a":1}] [{}]', "line 2: is not in one JSON array"],
  ['[{"a":1},]', "line 2: is not a JSON object"],
  ["[ ,]", "line 1: is not a JSON object"],
  ["[{}]\uFEFF", "line 2: is not in one JSON array"],
  [`[{},"${"x".repeat(1024)}"]`, "line 2: is longer than 1 KiB"],
])("the body '$0' is refused with '$1'", async (text, message) => {
  await expect(elementsOf([text], 1024)).rejects.toThrow(message);
});

test("an element with bytes that are not UTF-8, or without an end, is refused with its number", async () => {
  const bad = Buffer.concat([Buffer.from('[{},{"a":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
  await expect(elementsOf([bad], 1000)).rejects.toThrow("line 2: is not UTF-8");
  await expect(elementsOf(endless("["), 1024)).rejects.toThrow("line 1: is longer than 1 KiB");
});

test("bad lines are reported in the order of their numbers as soon as the report is full", () => {
  const wrong = (line: number) => new ImportError(line, "is wrong");
  const [one, two, nine] = [wrong(1), wrong(2), wrong(9)];
  const bad = new BadLines(3, [nine]);
  bad.add(two);
  expect(() => bad.add(one)).toThrow(one);
  expect(one.errors).toEqual([one, two, nine]);
  expect(two.errors).toEqual([two]);
  expect(() => new BadLines(1).throwIfAny()).not.toThrow();
});
