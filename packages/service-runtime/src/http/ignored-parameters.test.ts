import { expect, test } from "vitest";
import { nameIgnored } from "./validation.ts";

const KNOWN = { limit: 1, sort: 1 };

function told(sent: Iterable<string>): string | undefined {
  const headers = new Headers();
  nameIgnored({ header: (name, value) => headers.set(name, value) }, sent, KNOWN);
  return headers.get("x-ignored-parameters") ?? undefined;
}

test.each<[string, string[], string | undefined]>([
  ["nothing was sent", [], undefined],
  ["all are known", ["limit", "sort", "limit"], undefined],
  ["a name is empty", [""], undefined],
  ["one is unknown", ["limit", "from"], "from"],
  ["one is unknown twice, and another", ["from", "from", "Limit"], "from, Limit"],
  ["names of every object", ["__proto__", "constructor"], "__proto__, constructor"],
  [
    "what would end the line, or look like two names",
    ["a\r\nset-cookie: b", "c, d"],
    "a%0D%0Aset-cookie%3A%20b, c%2C%20d",
  ],
  ["another alphabet", ["wörter"], "w%C3%B6rter"],
  ["a long name", ["x".repeat(5000)], "x".repeat(64)],
  ["a long name, cut inside of a character", [`${"x".repeat(63)}😀`], "x".repeat(63)],
  ["a long name of escapes", ["ä".repeat(64)], "%C3%A4".repeat(11).slice(0, 63)],
  ["half a character", ["\ud83d"], "%EF%BF%BD"],
  ["many names", Array.from({ length: 500 }, (_, index) => `n${index}`), "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9"],
])("ignored parameters where %s", (_case, sent, header) => {
  expect(told(sent)).toBe(header);
});
