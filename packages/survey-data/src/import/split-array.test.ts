import fc from "fast-check";
import { expect, test } from "vitest";
import { splitArray } from "./split-array.ts";
import type { Chunks } from "./split-lines.ts";

async function elementsOf(chunks: Chunks, maxBytes = 10_000): Promise<string[]> {
  const elements: string[] = [];
  for await (const block of splitArray(chunks, maxBytes)) elements.push(...block);
  return elements;
}

test("the elements are those that JSON.parse finds, wherever the bytes are cut and however they are indented", async () => {
  const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 3 });
  const property = fc.asyncProperty(fc.array(value), fc.nat(3), fc.integer({ min: 1, max: 9 }), async (...given) => {
    const [array, indent, size] = given;
    const bytes = Buffer.from(` ${JSON.stringify(array, null, indent)}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) =>
      bytes.subarray(part * size, (part + 1) * size),
    );
    const elements = (await elementsOf(chunks)).map((text) => JSON.parse(text));
    expect(elements).toEqual(JSON.parse(JSON.stringify(array)));
  });
  await fc.assert(property);
});

test.each([
  ["", "line 1: is not in one JSON array: it has no end"],
  ["{}", "line 1: is not in one JSON array"],
  ['[{"a":1}', "line 1: is not in one JSON array: it has no end"],
  ['[{"a":1},{"b":"]', "line 2: is not in one JSON array: it has no end"],
  ['[{"a":1}]]', "line 2: is not in one JSON array"],
  ['[{"a":1}] [{}]', "line 2: is not in one JSON array"],
  ['[{"a":1},]', "line 2: is not a JSON object"],
  ["[,]", "line 1: is not a JSON object"],
  [`[{},"${"x".repeat(1024)}"]`, "line 2: is longer than 1 KiB"],
])("%s is refused: %s", async (text, message) => {
  await expect(elementsOf([text], 1024)).rejects.toThrow(message);
});

test("bytes that are not UTF-8, and an element that never ends, are refused by their number", async () => {
  const bad = Buffer.concat([Buffer.from('[{},{"a":"'), Buffer.from([0xff]), Buffer.from('"}]')]);
  await expect(elementsOf([bad])).rejects.toThrow("line 2: is not UTF-8");
  const endless = (function* () {
    yield "[";
    for (;;) yield "x".repeat(100);
  })();
  await expect(elementsOf(endless, 1024)).rejects.toThrow("line 1: is longer than 1 KiB");
});
