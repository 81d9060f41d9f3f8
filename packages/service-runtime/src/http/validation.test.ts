import { expect, test } from "vitest";
import { nameIgnored } from "./validation.ts";

const NAMED: [sent: string[], header: string | null][] = [
  [["limit", "sort", "limit", ""], null],
  [["from", "from", "Limit"], "from, Limit"],
  [["__proto__", "constructor"], "__proto__, constructor"],
  [["a\r\nset-cookie: b", "c, d"], "a%0D%0Aset-cookie%3A%20b, c%2C%20d"],
  [["wörter"], "w%C3%B6rter"],
  [["x".repeat(5000)], "x".repeat(64)],
  [[`${"x".repeat(63)}😀`], "x".repeat(63)],
  [["ä".repeat(64)], "%C3%A4".repeat(11).slice(0, 63)],
  [["\ud83d"], "%EF%BF%BD"],
  [
    Array.from({ length: 500 }, (_, index) => `n${index}`),
    "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9",
  ],
];

test("x-ignored-parameters lists at most ten names, each once, encoded and cut to 64 characters", () => {
  const headerOf = (sent: string[]) => {
    const headers = new Headers();
    nameIgnored({ header: (name, value) => headers.set(name, value) }, sent, { limit: 1, sort: 1 });
    return headers.get("x-ignored-parameters");
  };
  expect(NAMED.map(([sent]) => [sent, headerOf(sent)])).toEqual(NAMED);
});
