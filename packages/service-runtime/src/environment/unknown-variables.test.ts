import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { OUR_VARIABLES, unknownVariables } from "./environment-summary.ts";

const KNOWN = new Set([
  "ACCESS_TOKEN_TTL_SECONDS",
  "TOKEN_RATE_LIMIT",
  "DATABASE_URL",
  "DATABASE_URL_FILE",
  "PORT",
  "HOST",
]);

test.each([
  ["ACESS_TOKEN_TTL_SECONDS", "ACCESS_TOKEN_TTL_SECONDS"],
  ["ACCESS_TOKEN_TTL_SECOND", "ACCESS_TOKEN_TTL_SECONDS"],
  ["ACCESS_TOKEN_TTL", null],
  ["TOKENS_RATE_LIMIT", "TOKEN_RATE_LIMIT"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["DATABASE_URL_FIEL", "DATABASE_URL_FILE"],
  ["EXPORT_RATE_LIMIT", "API_RATE_LIMIT"],
  ["TRUSTED_PROXY", null],
  ["TRUSTED_PROXYS", null],
  ["TRUSTED_PROXIE", "TRUSTED_PROXIES"],
])("%s is a misspelt %s", (name, nearest) => {
  expect(unknownVariables([name], KNOWN)).toEqual(nearest === null ? [] : [{ name, nearest }]);
});

test("no other program's variable is taken for ours, nor one of ours that another program reads", () => {
  const others = [
    "PATH",
    "HOSTNAME",
    "HOME",
    "PORTS",
    "LANG",
    "NODE_ENV",
    "REDIS_PORT",
    "POSTGRES_PORT",
    "DATABASE_HOST",
  ];
  const ofKubernetes = ["REDIS_SERVICE_HOST", "AUTHORIZATION_SERVER_PORT", "RESOURCE_SERVER_SERVICE_PORT"];
  expect(unknownVariables([...others, ...ofKubernetes, ...OUR_VARIABLES, "REDIS_URL_FILE"], KNOWN)).toEqual([]);
});

test("the list has every variable that a program of ours reads", () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const files = globSync(["services/*/src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/sample-partner\/|\/testing/.test(file),
  );
  const read = files.flatMap((file) =>
    readFileSync(`${root}/${file}`, "utf8")
      .matchAll(
        /\benv\.(?:string|share|isSet|integer|port|seconds|memorySize|url|publicUrl|pageUrl|supportUrl|list|secret|optionalSecret|storeUrl|optionalStoreUrl|redisUrl|optionalRedisUrl)\(\s*"([A-Z_]+)"(?:, "([A-Z_]+)")?/g,
      )
      .flatMap(([, name, password]) => [name, password])
      .filter((name) => name !== undefined)
      .toArray(),
  );
  expect(read.length).toBeGreaterThan(30);
  const isOurs = (name: string) => OUR_VARIABLES.includes(name) || OUR_VARIABLES.includes(name.replace(/_FILE$/, ""));
  expect(read.filter((name) => !isOurs(name))).toEqual([]);
});
