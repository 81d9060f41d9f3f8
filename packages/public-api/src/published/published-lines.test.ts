import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCUMENT_FILE } from "../served-document.ts";
import {
  breakingChanges,
  PUBLISHED_FILE,
  type PublishedDocument,
  publishedLines,
  readPublished,
} from "./published-lines.ts";

const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as PublishedDocument;
const present = publishedLines(document);

test("nothing that partners' programs depend on has changed", () => {
  expect(
    breakingChanges(readPublished(), present),
    `a change that breaks partners' programs. If it is meant, change these lines in ${PUBLISHED_FILE.pathname}, and say so in CHANGELOG.md`,
  ).toEqual([]);
});

/** A copy of the document with another value at a place; undefined: nothing there. */
function changed(path: readonly string[], value: unknown): PublishedDocument {
  const copy = structuredClone(document);
  let place = copy as unknown as Record<string, unknown>;
  for (const name of path.slice(0, -1)) place = place[name] as typeof place;
  place[path.at(-1) as string] = value;
  return JSON.parse(JSON.stringify(copy));
}

const QUESTIONS = ["paths", "/api/questions", "get"];
const QUESTION = ["components", "schemas", "Question"];

test.each<[string, string[], unknown, string]>([
  ["an operation that is gone", QUESTIONS.slice(0, 2), undefined, "gone: GET /api/questions"],
  [
    "a field of an answer that is gone",
    [...QUESTION, "properties", "prompt"],
    undefined,
    "gone: GET /api/questions 200 application/json.data[].prompt: string always",
  ],
  [
    "a field of an answer that may be missing",
    [...QUESTION, "required"],
    [],
    "gone: GET /api/questions 200 application/json.data[].id: integer always",
  ],
  [
    "a parameter with another type",
    [...QUESTIONS, "parameters", "0", "schema", "type"],
    "string",
    "gone: GET /api/questions query limit: integer",
  ],
  [
    "a parameter that becomes required",
    [...QUESTIONS, "parameters", "0", "required"],
    true,
    "newly required: GET /api/questions query limit: integer required",
  ],
  [
    "another scope",
    [...QUESTIONS, "security"],
    [{ oauth2: ["questions:read"] }],
    "gone: GET /api/questions by oauth2 responses:read",
  ],
])("%s is told", (_, path, value, told) => {
  expect(breakingChanges(present, publishedLines(changed(path, value)))).toContain(told);
});

test("what is added breaks nothing", () => {
  const operation = { parameters: [{ name: "a", in: "query", required: true }], responses: {} };
  for (const [path, value] of [
    [["paths", "/api/new"], { get: operation }],
    [[...QUESTION, "properties", "extra"], { type: "string" }],
  ] as const) {
    expect(breakingChanges(present, publishedLines(changed(path, value)))).toEqual([]);
  }
});
