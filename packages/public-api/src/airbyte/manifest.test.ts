import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { COMPONENTS } from "../testing/airbyte/components.ts";
import { object as isObject } from "../testing/airbyte/kind.ts";

const text = readFileSync(new URL("../../airbyte.yaml", import.meta.url), "utf8");
const manifest = parse(text);

/** A value with what its references name in their place, as Airbyte puts it there first. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isObject(value)) return value;
  const { $ref, ...own } = value;
  const named = $ref === undefined ? {} : manifest.definitions[String($ref).split("/")[2] ?? ""];
  if (named === undefined) throw new Error(`${$ref} is not there`);
  return Object.fromEntries(Object.entries({ ...named, ...own }).map(([name, inner]) => [name, resolved(inner)]));
}

/** JSON Schema, in which `type` is another thing. */
const SCHEMAS = ["schema", "connection_specification"];

/** What differs from the table, in a component and all inside of it. */
function problemsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => problemsOf(inner, `${path}[${index}]`));
  if (!isObject(value)) return [];
  return [
    ...("type" in value ? problemsOfComponent(value, path) : []),
    ...Object.entries(value)
      .filter(([name]) => !SCHEMAS.includes(name))
      .flatMap(([name, inner]) => problemsOf(inner, `${path}.${name}`)),
  ];
}

function problemsOfComponent({ type, ...own }: Readonly<Record<string, unknown>>, path: string): string[] {
  const { required, optional } = COMPONENTS[String(type)] ?? {};
  if (!required) return [`${path}: there is no ${type}`];
  const kinds = { ...required, ...optional };
  return [
    ...Object.keys(required).flatMap((name) => (name in own ? [] : [`${path}: ${name} is missing`])),
    ...Object.entries(own).flatMap(([name, inner]) => {
      const kind = kinds[name];
      if (!kind) return [`${path}: ${name} is unknown`];
      return kind(inner) ? [] : [`${path}: ${name} is of another kind`];
    }),
  ];
}

test("the Airbyte manifest has components that there are, each with what it requires and nothing else", () => {
  expect(problemsOf(resolved(manifest), "manifest")).toEqual([]);
});

test.each([
  ["a property that is missing", { type: "CursorPagination" }, "x: cursor_value is missing"],
  ["one that is unknown", { type: "RequestPath", path: "/" }, "x: path is unknown"],
  ["a value that there is not", { type: "RequestOption", inject_into: "query" }, "x: inject_into is of another kind"],
  [
    "a number for a text",
    { type: "HttpRequester", request_parameters: { limit: 1000 } },
    "x: request_parameters is of another kind",
  ],
  [
    "a component in the wrong place",
    { type: "SimpleRetriever", record_selector: { type: "RequestPath" }, requester: { type: "HttpRequester" } },
    "x: record_selector is of another kind",
  ],
  ["one that there is not", { inner: [{ type: "Requester" }] }, "x.inner[0]: there is no Requester"],
])("a manifest for Airbyte with %s would be found out", (_, component, problem) => {
  expect(problemsOf(component, "x")).toEqual([problem]);
});

test("the Airbyte manifest says the same in YAML 1.1, which Airbyte reads, as in 1.2", () => {
  expect(parse(text, { version: "1.1" })).toEqual(manifest);
});

test("only the two fields that users are asked for are secrets, beside the API key", () => {
  const [key, connection] = manifest.spec.connection_specification.properties.credentials.oneOf;
  const secrets = { ...key.properties, ...connection.properties } as Record<string, { airbyte_secret?: boolean }>;
  const names = Object.entries(secrets).flatMap(([name, { airbyte_secret }]) => (airbyte_secret ? [name] : []));
  expect(names).toEqual(["api_key", "client_secret", "refresh_token"]);
});
