import { expect, test } from "vitest";
import { ConfigurationError, type Environment, readEnvironment } from "./environment.ts";

/** What `read` gives for the variable X with this text, or the message. */
function outcome(text: string | undefined, read: (env: Environment) => unknown): unknown {
  try {
    return readEnvironment({ X: text }, read);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
}

const FORMS: Record<string, (env: Environment) => unknown> = {
  string: (env) => env.string("X"),
  integer: (env) => env.integer("X", { min: 1, max: 32 }),
  port: (env) => env.port("X"),
  seconds: (env) => env.seconds("X", { min: 1 }),
  memorySize: (env) => env.memorySize("X"),
  url: (env) => env.url("X"),
  storeUrl: (env) => env.storeUrl("X"),
  redisUrl: (env) => env.redisUrl("X"),
  publicUrl: (env) => env.publicUrl("X"),
  list: (env) => env.list("X"),
};

test.each([
  ["string", "a b", "a b"],
  ["integer", "1", 1],
  ["integer", "32", 32],
  ["integer", "33", "X is not a whole number from 1 to 32: 33"],
  ["integer", "0", "X is not a whole number from 1 to 32: 0"],
  ["integer", "-1", "X is not a whole number from 1 to 32: -1"],
  ["integer", "1.5", "X is not a whole number from 1 to 32: 1.5"],
  ["integer", "1e1", "X is not a whole number from 1 to 32: 1e1"],
  ["integer", " 1", "X is not a whole number from 1 to 32:  1"],
  ["port", "0", 0],
  ["port", "65535", 65_535],
  ["port", "http", "X is not a whole number from 0 to 65535: http"],
  ["seconds", "900", 900],
  ["seconds", "15m", "X is not a whole number of seconds from 1: 15m"],
  ["memorySize", "256mb", 256 * 1024 ** 2],
  ["memorySize", "1GB", 1024 ** 3],
  ["memorySize", "256", "X is not a size such as 256mb or 1gb: 256"],
  ["url", "https://a.example/b/", "https://a.example/b"],
  ["url", "a.example", "X is not an absolute URL"],
  ["storeUrl", "postgres://u:p@one:5432,two:5432/db", "postgres://u:p@one:5432,two:5432/db"],
  ["storeUrl", "localhost:5432", "X is not a URL"],
  ["publicUrl", "https://a.example/", "https://a.example"],
  ["list", "a, b,,", ["a", "b"]],
] as const)("as %s, %j is %j", (form, text, expected) => {
  expect(outcome(text, FORMS[form] ?? expect.fail(form))).toEqual(expected);
});

test.each(Object.entries(FORMS))("as %s, none and an empty one are not set", (_, read) => {
  expect([outcome(undefined, read), outcome("", read)]).toEqual(["X is not set", "X is not set"]);
});

test.each([
  [undefined, null],
  ["", null],
  ["https://help.example/for/merchants/?a=b#c", "https://help.example/for/merchants/?a=b#c"],
  ["http://localhost:8080/help", "http://localhost:8080/help"],
  ["http://help.example/", "X is not an https URL"],
  ["help.example", "X is not an https URL"],
  ["javascript:alert(1)", "X is not an https URL"],
  ["https://user@help.example/", "X is a URL with a user name or a password"],
])("as a page that ours link to, %j is %j", (text, expected) => {
  expect(outcome(text, (env) => env.pageUrl("X"))).toBe(expected);
});

test("a fallback stands for none and for an empty one, and never for a malformed one", () => {
  const read = (env: Environment) => env.integer("X", { fallback: 7 });
  expect([outcome(undefined, read), outcome("", read)]).toEqual([7, 7]);
  expect(outcome("x", read)).toBe("X is not a whole number from 0: x");
});

test("every problem is told at once, each with its variable", () => {
  const read = (env: Environment) => [
    env.port("PORT"),
    env.string("NAME"),
    env.memorySize("SIZE"),
    env.list("LIST", []),
  ];
  expect(() => readEnvironment({ PORT: "x", SIZE: "much" }, read)).toThrow(
    "PORT is not a whole number from 0 to 65535: x; NAME is not set; SIZE is not a size such as 256mb or 1gb: much",
  );
});
