import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import {
  absoluteUrl,
  commaSeparated,
  flag,
  integer,
  issuerUrl,
  optional,
  pageUrl,
  parsed,
  publicUrl,
  readEnvironment,
  redisUrl,
  SERVER_SETTINGS,
  type Setting,
  secret,
  secretUrl,
  smtpUrl,
  storeUrl,
  summarizeEnvironment,
  text,
  type Variables,
} from "./environment.ts";

const { LOG_LEVEL, TRUSTED_PROXIES } = SERVER_SETTINGS;
const folder = temporaryFolder(afterAll);

function file(content: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

/** The value of X, or the error message. */
function outcome(variables: Variables, setting: Setting<unknown>): unknown {
  try {
    return readEnvironment({ X: setting, X_PASSWORD: optional(secret) }, variables).X;
  } catch (error) {
    expect(error).toMatchObject({ code: "CONFIGURATION" });
    return (error as Error).message;
  }
}

const PLAIN = "X is http, which is unencrypted; it must be https, except on localhost";
const LOGIN = "X has a user name or a password, which it can't have";
const PATH = "X has a path, which it can't have";
const QUERY = "X has a query, which it can't have";
const FRAGMENT = "X has a fragment, which it can't have";

const READ: [setting: Setting<unknown>, value: string, outcome: unknown][] = [
  [text(), "a b", "a b"],
  [integer(undefined, { min: 1, max: 32 }), "32", 32],
  [integer(undefined, { min: 1, max: 32 }), "33", "X is not a whole number from 1 to 32: 33"],
  [integer(undefined, { min: 1 }), "0", "X is not a whole number from 1: 0"],
  [integer(), "1e1", "X is not a whole number from 0: 1e1"],
  [integer(), " 1", "X is not a whole number from 0:  1"],
  [integer(7), "x", "X is not a whole number from 0: x"],
  [parsed(absoluteUrl), "https://a.example/b/", "https://a.example/b"],
  [parsed(absoluteUrl), "a.example", "X is not an absolute URL"],
  [parsed(absoluteUrl), "localhost:8080", "X is not an absolute URL"],
  [parsed(absoluteUrl), "ftp://a.example", "X is not an http or https URL"],
  [parsed(absoluteUrl), "https://u:p@a.example/b", LOGIN],
  [parsed(absoluteUrl), "https://a.example/b?c", QUERY],
  [
    secretUrl(storeUrl),
    "postgres://u:p@one:5432,two:5432/db",
    "postgres://u:p@one:5432,two:5432/db",
  ],
  [secretUrl(storeUrl), "localhost:5432", "X is not a URL"],
  [secretUrl(storeUrl), "postgres://u:p@one/db ", "X is not a URL"],
  [secretUrl(smtpUrl), "smtps://u:p@mail.example?tls=off", "smtps://u:p@mail.example?tls=off"],
  [secretUrl(smtpUrl), "smtps://mail.example?pool=1", "X has a parameter other than tls=off"],
  ...[
    "https://mail.example",
    "smtps://u:1#2@mail.example",
    "smtps://mail.example/a",
    "smtps://mail.example\n",
  ].map((url): [Setting<unknown>, string, unknown] => [
    secretUrl(smtpUrl),
    url,
    "X is not a URL such as smtps://user:password@mail.example",
  ]),
  [parsed(publicUrl), "https://a.example/", "https://a.example"],
  [parsed(publicUrl), "https://A.example:443", "https://a.example"],
  [parsed(publicUrl), "https://a.example/connect", PATH],
  [parsed(publicUrl), "https://a.example//", PATH],
  [parsed(publicUrl), "https://user@a.example", LOGIN],
  [parsed(publicUrl), "https://:password@a.example", LOGIN],
  ...["https://a.example/?", "https://a.example?b=c"].map(
    (url): [Setting<unknown>, string, unknown] => [parsed(publicUrl), url, QUERY],
  ),
  [parsed(publicUrl), "https://a.example/#", FRAGMENT],
  ...[" https://a.example", "https://a.example\n", "https://a. example", "https://a.\texample"].map(
    (url): [Setting<unknown>, string, unknown] => [parsed(publicUrl), url, "X has a blank"],
  ),
  [parsed(publicUrl), "a.example", "X is not an absolute URL"],
  [parsed(issuerUrl), "https://a.example/b/", "https://a.example/b/"],
  [parsed(issuerUrl), "https://a.example/?b", QUERY],
  ...[
    "http://localhost:8080",
    "http://auth.localhost:8080",
    "http://127.4.5.6",
    "http://[::1]:8080",
  ].map((url): [Setting<unknown>, string, unknown] => [parsed(publicUrl), url, url]),
  ...["a.example", "localhost.example", "127.0.0.1.example", "10.0.0.1", "0.0.0.0:8080"].map(
    (host): [Setting<unknown>, string, unknown] => [parsed(publicUrl), `http://${host}`, PLAIN],
  ),
  [parsed(publicUrl), "ftp://localhost", "X is not an https URL"],
  [parsed(commaSeparated), "a, b,,c d", ["a", "b", "c", "d"]],
  [
    parsed(pageUrl),
    "https://help.example/for/merchants/?a=b#c",
    "https://help.example/for/merchants/?a=b#c",
  ],
  [parsed(pageUrl), "http://localhost:8080/help", "http://localhost:8080/help"],
  [parsed(pageUrl), "http://help.example/", PLAIN],
  [parsed(pageUrl), "javascript:alert(1)", "X is not an absolute URL"],
  [parsed(pageUrl), "https://user@help.example/", LOGIN],
  [TRUSTED_PROXIES, "loopback, 10.0.0.0/8 ::1", ["loopback", "10.0.0.0/8", "::1"]],
  [TRUSTED_PROXIES, "banana", "X has an invalid IP address: banana"],
  [TRUSTED_PROXIES, "10.0.0.0/33", "X has an invalid range on address: 10.0.0.0/33"],
  [LOG_LEVEL, "silent", "silent"],
  [LOG_LEVEL, "verbose", "X is not a level of pino: verbose"],
];

test("each kind of setting accepts valid values and reports the problem of invalid values", () => {
  expect(READ.map(([setting, X]) => [X, outcome({ X }, setting)])).toEqual(
    READ.map(([, ...expected]) => expected),
  );
});

test("an empty variable counts as unset, so its default applies", () => {
  for (const X of ["", undefined]) {
    expect(outcome({ X }, text())).toBe("X is not set");
    expect(outcome({ X }, optional(text()))).toBeUndefined();
    expect(outcome({ X }, integer(7))).toBe(7);
  }
});

test("all problems of the environment are reported together, each with its variable", () => {
  const settings = {
    PORT: integer(),
    NAME: text(),
    IS_ON: parsed(flag, "true"),
    A: text(),
    B: optional(text()),
  };
  expect(() =>
    readEnvironment(settings, { PORT: "x", IS_ON: "much", A: "a" }, { A: ["B"] }),
  ).toThrow(
    "PORT is not a whole number from 0: x; NAME is not set; IS_ON is neither true nor false: much; B is not set, but A is",
  );
});

test("a secret is read from X or from the file named by X_FILE, without a final line break", () => {
  expect(outcome({ X: "secret" }, secret)).toBe("secret");
  for (const ending of ["", "\n", "\r\n"])
    expect(outcome({ X_FILE: file(`secret${ending}`) }, secret)).toBe("secret");
  expect(outcome({ X: "", X_FILE: file("secret") }, optional(secret))).toBe("secret");
  expect(outcome({ X: "secret", X_FILE: "" }, secret)).toBe("secret");
});

test("an error about a secret names the variable and doesn't contain the secret", () => {
  expect(outcome({ X: "secret", X_FILE: file("secret") }, secret)).toBe(
    "X and X_FILE are both set",
  );
  expect(outcome({ X_FILE: join(folder, "none") }, secret)).toBe("X_FILE can't be read: ENOENT");
  expect(outcome({ X_FILE: folder }, optional(secret))).toBe("X_FILE can't be read: EISDIR");
  expect(outcome({ X_FILE: file("\n") }, secret)).toBe("X_FILE is an empty file");
  for (const content of ["secret\n\n", "secret\nsecret", "\nsecret", "secret\0"])
    expect(outcome({ X_FILE: file(content) }, secret)).toBe(
      "X_FILE is a file of more than one line",
    );
  expect(outcome({ X_FILE: file("localhost:5432") }, secretUrl(storeUrl))).toBe("X is not a URL");
});

test.each([
  [
    "postgres://role@one:5432,two/db?a=b",
    "p w/@",
    "postgres://role:p%20w%2F%40@one:5432,two/db?a=b",
  ],
  ["redis://redis:6379", "secret", "redis://:secret@redis:6379"],
  ["rediss://:@redis", "secret", "rediss://:secret@redis"],
  ["redis://:own@redis", "secret", "X_PASSWORD is set, and X_URL has a password as well"],
  ["nonsense", "secret", "X_PASSWORD is set, and X_URL is not a URL"],
])("the URL %s and a separate password %j result in '%s'", (url, password, expected) => {
  const read = (variables: Variables) =>
    readEnvironment({ X_URL: secret, X_PASSWORD: secret }, variables).X_URL;
  for (const variables of [
    { X_URL: url, X_PASSWORD: password },
    { X_URL_FILE: file(url), X_PASSWORD_FILE: file(password) },
  ]) {
    if (expected.startsWith("X_")) expect(() => read(variables)).toThrow(expected);
    else expect(read(variables)).toBe(expected);
  }
});

test("the summary of the environment lists variables that are set and default values, without secrets", () => {
  const path = file("secret");
  const variables = {
    DATABASE_URL: "postgres://role:secret@one,two/db?sslpassword=secret&sslmode=require",
    REDIS_URL: "redis://:secret@redis",
    JWKS_URL: "http://user:secret@jwks/",
    WEBHOOK_KEY: "secret",
    DATABASE_PASSWORD_FILE: path,
    TOKEN_RATE_LIMIT: "20",
    HOSTNAME: "secret",
  };
  const settings = {
    DATABASE_URL: secretUrl(storeUrl),
    DATABASE_PASSWORD: secret,
    REDIS_URL: secretUrl(redisUrl),
    JWKS_URL: parsed(absoluteUrl),
    WEBHOOK_KEY: secret,
    TOKEN_RATE_LIMIT: integer(10),
    AUTHORIZE_RATE_LIMIT: integer(30),
  };
  expect(summarizeEnvironment(settings, variables)).toEqual({
    set: {
      DATABASE_URL: "postgres://role:***@one,two/db?sslpassword=***&sslmode=require",
      REDIS_URL: "redis://:***@redis",
      JWKS_URL: "http://user:***@jwks/",
      WEBHOOK_KEY: "***",
      DATABASE_PASSWORD_FILE: path,
      TOKEN_RATE_LIMIT: "20",
    },
    defaults: { AUTHORIZE_RATE_LIMIT: "30" },
  });
});

test("the summary of the environment shows no part of a password, even if the password isn't percent-encoded", () => {
  for (const password of ["9vK/x2Q+cret", "9vK#x2Qcret", "9vK?x2Qcret", "12/x2Qcret", "a@b"])
    for (const user of ["", "role"]) {
      const X_URL = `redis://${user}:${password}@redis/1`;
      const { set } = summarizeEnvironment({ X_URL: secretUrl(redisUrl) }, { X_URL });
      expect(set).toEqual({ X_URL: `redis://${user}:***@redis/1` });
    }
});
