import { readFileSync } from "node:fs";
import type { DescribedContent, DescribedSchema } from "../document/described-document.ts";

/** What partners' programs depend on, a line each: reviewed with each change of the API. */
export const PUBLISHED_FILE: URL = new URL("../../published.txt", import.meta.url);

export function readPublished(): string[] {
  return readFileSync(PUBLISHED_FILE, "utf8").trimEnd().split("\n");
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: DescribedSchema;
  }[];
  readonly requestBody?: { readonly content: DescribedContent };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: DescribedContent }>>;
}

export interface PublishedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a partner's program depends on, a line each, in order. `required`: requests must have it; `always`: answers have it. */
export function publishedLines(document: PublishedDocument): string[] {
  const lines = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`;
      lines.add(name);
      for (const scheme of operation.security ?? []) {
        for (const [kind, scopes] of Object.entries(scheme)) lines.add(`${name} by ${[kind, ...scopes].join(" ")}`);
      }
      for (const parameter of operation.parameters ?? []) {
        const mark = parameter.required ? " required" : "";
        describe(`${name} ${parameter.in} ${parameter.name}`, parameter.schema ?? {}, mark);
      }
      describeContent(`${name} body`, operation.requestBody?.content, " required");
      for (const [status, answer] of Object.entries(operation.responses)) {
        const at = `${name} ${status}`;
        lines.add(at);
        describeContent(at, resolve<(typeof operation.responses)[string]>(answer).content, " always");
      }
    }
  }
  return [...lines].sort();

  function describeContent(name: string, content: DescribedContent | undefined, mark: string): void {
    for (const [type, { schema }] of Object.entries(content ?? {})) describe(`${name} ${type}`, schema ?? {}, "", mark);
  }

  function describe(name: string, given: DescribedSchema, mark: string, markOfFields = mark): void {
    const schema = resolve<DescribedSchema>(given);
    const form = schema.format === undefined ? "" : `(${schema.format})`;
    if (schema.type !== undefined) lines.add(`${name}: ${[schema.type].flat().join("|")}${form}${mark}`);
    for (const value of schema.enum ?? (schema.const === undefined ? [] : [schema.const]))
      lines.add(`${name} = ${value}`);
    for (const part of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((parts) => parts ?? [])) {
      describe(name, part, mark, markOfFields);
    }
    if (schema.items) describe(`${name}[]`, schema.items, "", markOfFields);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      describe(`${name}.${field}`, inner, schema.required?.includes(field) ? markOfFields : "", markOfFields);
    }
  }

  function resolve<Part>(part: { readonly $ref?: string }): Part {
    if (part.$ref === undefined) return part as Part;
    const [, , kind = "", component = ""] = part.$ref.split("/");
    return resolve(document.components[kind]?.[component] as { readonly $ref?: string });
  }
}

/** Of what is published, what a program would miss or be refused for: lines that are gone, and what requests of a known operation must have now. */
export function breakingChanges(published: readonly string[], present: readonly string[]): string[] {
  const operations = published.filter((line) => /^[A-Z]+ \S+$/.test(line));
  const gone = published.filter((line) => !present.includes(line));
  const required = present.filter(
    (line) =>
      line.endsWith(" required") &&
      !published.includes(line) &&
      operations.some((operation) => line.startsWith(`${operation} `)),
  );
  return [...gone.map((line) => `gone: ${line}`), ...required.map((line) => `newly required: ${line}`)];
}
