import { readFileSync } from "node:fs";
import { OUR_VARIABLES } from "@partner-connect/service-runtime/environment";
import { describe, expect, test } from "vitest";
import { summarizeConfig as authorizationServer } from "../../services/authorization-server/src/config.ts";
import { summarizeConfig as notifier } from "../../services/notifier/src/config.ts";
import { summarizeConfig as resourceServer } from "../../services/resource-server/src/config.ts";

const page = readFileSync(new URL("../../deploy/operations/settings.md", import.meta.url), "utf8");
/** Rows of the tables: the variables of the first cell, the text of the second. */
const rows = page
  .matchAll(/^\| (`[A-Z_`, ]+) \| (.+?) \|/gm)
  .map(([, names = "", text = ""]) => ({ names: [...names.matchAll(/[A-Z_]+/g)].map(String), text }))
  .toArray();

test("the page of settings has every variable that a program of ours reads, and no other", () => {
  expect(new Set(rows.flatMap(({ names }) => names))).toEqual(new Set(OUR_VARIABLES));
});

const REQUIRED = {
  PUBLIC_BASE_URL: "https://connect.example",
  DATABASE_URL: "postgres://role@db/db",
  REDIS_URL: "redis://redis",
  SIGNING_KEYS_FILE: "keys.json",
  JWKS_URL: "http://jwks",
  PORT: "1",
  INTERNAL_PORT: "2",
};

describe.each([
  ["authorization server", authorizationServer],
  ["resource server", resourceServer],
  ["notifier", notifier],
])("%s", (_name, summarize) => {
  test.each(Object.entries(summarize(REQUIRED).defaults).filter(([name]) => !name.startsWith("OTEL_SERVICE")))(
    "the page has the default of %s: %s",
    (name, value) => {
      const shown = value.replace("https://connect.example", "`PUBLIC_BASE_URL`").replace("`/api", "/api`");
      expect(rows.filter(({ names }) => names.includes(name)).map(({ text }) => text)).toContain(shown || "none");
    },
  );
});
