import { readFileSync } from "node:fs";
import { STACK_SETTINGS } from "@partner-connect/local-stack";
import { OPERATOR_SETTINGS } from "@partner-connect/operator-cli";
import type { Settings } from "@partner-connect/service-runtime/environment";
import { expect, test } from "vitest";
import { SETTINGS as authorizationServer } from "../../services/authorization-server/src/config.ts";
import { SETTINGS as resourceServer } from "../../services/resource-server/src/config.ts";
import {
  BACK_OFFICE_SETTINGS as backOffice,
  SETTINGS as worker,
} from "../../services/worker/src/config.ts";

const page = readFileSync(new URL("../../deploy/operations/settings.md", import.meta.url), "utf8");
/** Rows of the tables: the variables of the first cell, the text of the second. */
const rows = page
  .matchAll(/^\| (`[A-Z_`, ]+) \| (.+?) \|/gm)
  .map(([, names = "", text = ""]) => ({
    names: [...names.matchAll(/[A-Z_]+/g)].map(String),
    text,
  }))
  .toArray();

/** Not read by `readEnvironment`: the local stack passes it on. */
const PASSED_ON = ["SERVICES_DATABASE_URL"];
const programs: Settings[] = [
  STACK_SETTINGS,
  OPERATOR_SETTINGS,
  authorizationServer,
  resourceServer,
  worker,
  backOffice,
];

test("settings.md lists exactly the variables that the programs read", () => {
  const read = new Set([...PASSED_ON, ...programs.flatMap((settings) => Object.keys(settings))]);
  expect(new Set(rows.flatMap(({ names }) => names))).toEqual(read);
});

test("settings.md states the default of each variable", () => {
  const defaults = programs
    .flatMap((settings) => Object.entries(settings))
    .filter(([, { default: value }]) => value !== undefined);
  const texts = (name: string) =>
    rows.filter(({ names }) => names.includes(name)).map(({ text }) => text);
  expect(
    defaults.filter(([name, { default: value }]) => !texts(name).includes(value || "none")),
  ).toEqual([]);
});
