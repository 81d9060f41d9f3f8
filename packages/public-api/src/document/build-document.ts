import type { TSchema } from "typebox";
import { BASE_URL } from "../served-document.ts";
import { HEADERS, SECURITY_SCHEMES } from "./components.ts";
import { describeOperation, plain } from "./describe-operation.ts";
import { INTRODUCTION } from "./introduction.ts";
import { type Operation, TAGS } from "./operation.ts";

export interface DocumentParts {
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Each with the `$id` that others refer to it by. */
  readonly schemas: readonly TSchema[];
}

/** The OpenAPI document, with {@link BASE_URL} for the URL that partners are given. @throws Error if a schema has no `$id` */
export function buildDocument({ version, operations, schemas }: DocumentParts): object {
  const responses: Record<string, Record<string, unknown>> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = { ...item, [operation.method]: describeOperation(operation, responses) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Partner Connect API", version, description: INTRODUCTION },
    servers: [
      {
        url: BASE_URL,
        variables: { base_url: { default: "http://localhost:8080", description: "The address that you were given." } },
      },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(schemas.map((schema) => [nameOf(schema), plain(schema)])),
      responses,
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function nameOf(schema: TSchema & { readonly $id?: string }): string {
  if (schema.$id === undefined) throw new Error("a component has no $id");
  return schema.$id;
}
