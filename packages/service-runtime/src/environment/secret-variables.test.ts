import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Environment, readEnvironment, summarizeEnvironment, type Variables } from "./environment.ts";

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

/** What X is read as, or the message. */
function outcome(variables: Variables, read: (env: Environment) => unknown): unknown {
  try {
    return readEnvironment(variables, read);
  } catch (error) {
    return (error as Error).message;
  }
}

const KINDS: [string, (env: Environment) => unknown][] = [
  ["secret", (env) => env.secret("X")],
  ["optional secret", (env) => env.optionalSecret("X")],
  ["store's URL", (env) => env.storeUrl("X")],
  ["optional URL of a store", (env) => env.optionalStoreUrl("X")],
];

describe.each(KINDS)("a %s", (_, read) => {
  test("is in the variable, or in the file that its _FILE names, where one line break at the end is cut", () => {
    expect(outcome({ X: "redis://secret" }, read)).toBe("redis://secret");
    for (const ending of ["", "\n", "\r\n"]) {
      expect(outcome({ X_FILE: file(`redis://secret${ending}`) }, read)).toBe("redis://secret");
    }
    expect(outcome({ X: "", X_FILE: file("redis://secret") }, read)).toBe("redis://secret");
    expect(outcome({ X: "redis://secret", X_FILE: "" }, read)).toBe("redis://secret");
  });

  test("that is in both, or can't be read, is a problem that names the variable and never the content", () => {
    expect(outcome({ X: "redis://secret", X_FILE: file("redis://secret") }, read)).toBe("X and X_FILE are both set");
    expect(outcome({ X_FILE: join(folder, "none") }, read)).toBe("X_FILE can't be read: ENOENT");
    expect(outcome({ X_FILE: folder }, read)).toBe("X_FILE can't be read: EISDIR");
    expect(outcome({ X_FILE: file("\n") }, read)).toBe("X_FILE is an empty file");
    for (const content of ["secret\n\n", "secret\nsecret", "\nsecret", "secret\0"]) {
      expect(outcome({ X_FILE: file(content) }, read)).toBe("X_FILE is a file of more than one line");
    }
  });
});

test("a file of another form is a problem without its content", () => {
  expect(outcome({ X_FILE: file("localhost:5432") }, (env) => env.storeUrl("X"))).toBe("X is not a URL");
});

test.each([
  ["postgres://role@one:5432,two/db?a=b", "p w/@", "postgres://role:p%20w%2F%40@one:5432,two/db?a=b"],
  ["redis://redis:6379", "secret", "redis://:secret@redis:6379"],
  ["rediss://:@redis", "secret", "rediss://:secret@redis"],
  ["redis://:own@redis", "secret", "Y is set, and X has a password as well"],
  ["nonsense", "secret", "Y is set, and X is not a URL"],
])("the URL %s gets its password %j from a variable of its own", (url, password, expected) => {
  expect(outcome({ X: url, Y: password }, (env) => env.optionalStoreUrl("X", "Y"))).toBe(expected);
  expect(outcome({ X_FILE: file(url), Y_FILE: file(password) }, (env) => env.optionalStoreUrl("X", "Y"))).toBe(
    expected,
  );
});

test("the summary says what is set and what counts otherwise, and no password", () => {
  const path = file("secret");
  const variables = {
    DATABASE_URL: "postgres://role:secret@one,two/db?sslpassword=secret&sslmode=require",
    REDIS_URL: "redis://:secret@redis",
    JWKS_URL: "http://user:secret@jwks/",
    API_KEY: "secret",
    DATABASE_PASSWORD_FILE: path,
    TOKEN_RATE_LIMIT: "20",
    HOSTNAME: "secret",
  };
  const summary = summarizeEnvironment(variables, (env) => {
    env.storeUrl("DATABASE_URL", "DATABASE_PASSWORD");
    env.storeUrl("REDIS_URL");
    env.url("JWKS_URL");
    env.secret("API_KEY");
    env.integer("TOKEN_RATE_LIMIT", { fallback: 10 });
    env.integer("AUTHORIZE_RATE_LIMIT", { fallback: 30 });
    env.list("TRUSTED_PROXIES", ["::1/128", "10.0.0.0/8"]);
  });
  expect(summary).toEqual({
    set: {
      DATABASE_URL: "postgres://role:***@one,two/db?sslpassword=***&sslmode=require",
      REDIS_URL: "redis://:***@redis",
      JWKS_URL: "http://user:***@jwks/",
      API_KEY: "***",
      DATABASE_PASSWORD_FILE: path,
      TOKEN_RATE_LIMIT: "20",
    },
    defaults: { AUTHORIZE_RATE_LIMIT: "30", TRUSTED_PROXIES: "::1/128,10.0.0.0/8" },
    unknown: [],
  });
});
