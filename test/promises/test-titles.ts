import { globSync, readFileSync } from "node:fs";
import { parseAst } from "vitest/node";

/** A test's or a group's title that names ids, without them. `path` is from the top of the repository. */
export interface TestTitle {
  path: string;
  title: string;
  ids: string[];
}

interface Node {
  type: string;
  [key: string]: unknown;
}

const ROOT = new URL("../../", import.meta.url).pathname;
const ID = / ?\[([a-z][a-z0-9-]*\.[a-z0-9-]+)\]/g;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

export function readAllTestTitles(): TestTitle[] {
  return ["test", "services", "packages", "deploy"]
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT, exclude: ["**/node_modules"] }).sort())
    .map((path) => ({ path, source: readFileSync(ROOT + path, "utf8") }))
    .filter(({ source }) => idsIn(source).length > 0)
    .flatMap(({ path, source }) => readTestTitles(path, source));
}

/**
 * The titles of test, it and describe, as they are written: what `%s` and `$name` stand for is not filled in. An id may also
 * stand in a row of the table of `test.each`, where the title shows it; that row then counts as a test of its own.
 */
export function readTestTitles(path: string, source: string): TestTitle[] {
  const found: TestTitle[] = [];
  visit(parseAst(source, { lang: "ts" }, path));
  return found;

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const element of value) visit(element);
    if (!isNode(value)) return;
    if (value.type === "CallExpression") addCall(value);
    for (const child of Object.values(value)) visit(child);
  }

  function addCall(call: Node): void {
    const title = titleOf(call);
    if (title === null) return;
    add(title);
    for (const row of rowsOfEach(call)) if (row.some((cell) => idsIn(cell).length > 0)) add(filled(title, row));
  }

  function add(title: string): void {
    const ids = idsIn(title);
    if (ids.length > 0) found.push({ path, title: title.replaceAll(ID, ""), ids });
  }
}

function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].map(([, id = ""]) => id);
}

/** Null where the call is not one of test, it or describe with a title. */
function titleOf(call: Node): string | null {
  const [first] = call["arguments"] as unknown[];
  return ["test", "it", "describe"].includes(calledName(call) ?? "") && isNode(first) ? textOf(first) : null;
}

/** Of `test(…)`, `test.each(…)(…)` and `test.skipIf(…)(…)` alike "test". */
function calledName(call: Node): string | null {
  let node: unknown = call["callee"];
  while (isNode(node) && node.type !== "Identifier") node = node["object"] ?? node["callee"];
  return isNode(node) ? String(node["name"]) : null;
}

/** The text of a string; in a template, "…" for what is put in. */
function textOf(node: Node): string | null {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return null;
  return (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
}

/** The rows of the table of `test.each([…])(…)`, as far as they are written there. */
function rowsOfEach(call: Node): string[][] {
  const each = call["callee"] as Node;
  const [table] = each.type === "CallExpression" ? (each["arguments"] as unknown[]) : [];
  return elementsOf(table).map((row) => {
    const cells = elementsOf(row);
    return (cells.length > 0 ? cells : [row]).map((cell) => (isNode(cell) && textOf(cell)) || "…");
  });
}

function elementsOf(node: unknown): unknown[] {
  return isNode(node) && node.type === "ArrayExpression" ? (node["elements"] as unknown[]) : [];
}

function filled(title: string, row: string[]): string {
  const cells = row.values();
  return title.replaceAll(/%[sdifjo]/g, (placeholder) => cells.next().value ?? placeholder);
}
