import Schema from "typebox/schema";
import type { TestResourceServer } from "../testing.ts";

/** What a test looks at in the document. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, RecordSchema>> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly deprecated?: boolean }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

interface RecordSchema {
  readonly properties: Readonly<Record<string, object>>;
}

export async function fetchDocument(server: TestResourceServer): Promise<ApiDocument> {
  return (await (await server.get("/api/openapi.json")).json()) as ApiDocument;
}

/** Whether a body is what the document says of this route and status. */
export type IsPublished = (path: string, method: string, status: number, body: unknown) => boolean;

export function publishedBodies({ paths, components }: ApiDocument): IsPublished {
  const checks = new Map<string, (body: unknown) => boolean>();
  return (path, method, status, body) => {
    const key = `${method} ${path} ${status}`;
    let check = checks.get(key);
    if (!check) {
      const schema = paths[path]?.[method]?.responses[status]?.content?.["application/json"]?.schema;
      const validator = schema && Schema.Compile(resolved(schema, components.schemas) as object);
      check = (value) => validator?.Check(value) ?? false;
      checks.set(key, check);
    }
    return check(body);
  };
}

/** The schema with what it refers to put in its place. */
function resolved(schema: unknown, named: ApiDocument["components"]["schemas"]): unknown {
  if (Array.isArray(schema)) return schema.map((element) => resolved(element, named));
  if (typeof schema !== "object" || schema === null) return schema;
  if ("$ref" in schema) return resolved(named[String(schema.$ref).split("/").at(-1) ?? ""], named);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value, named)]));
}
