import type { TSchema } from "typebox";
import type { Answer, Examples, ObjectSchema, Operation, OperationSchema } from "./operation.ts";

type Json = Record<string, unknown>;

export function describeOperation({ tag, caller, schema }: Operation, components: Record<string, Json>): Json {
  const { operationId, summary, description, querystring, headers, body, examples, response } = schema;
  const parameters = [...parametersIn("query", querystring), ...parametersIn("header", headers)];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(caller),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(body, examples) }),
    responses: Object.fromEntries(
      Object.entries(response).map(([status, answer]) => [status, describeAnswer(answer, components)]),
    ),
  };
}

function securityOf(caller: Operation["caller"]): Json[] {
  if (caller === "anybody") return [];
  if (caller === "client") return [{ client: [] }];
  return [{ oauth2: caller.credential === "any" ? [] : [caller.credential] }, { api_key: [] }];
}

function parametersIn(where: "query" | "header", schema?: ObjectSchema): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, deprecated, examples, ...rest } = property as Json & {
      readonly examples?: readonly unknown[];
    };
    return {
      name,
      in: where,
      description,
      ...(schema?.required?.includes(name) && { required: true }),
      ...(deprecated === true && { deprecated }),
      schema: plain(rest),
      ...(examples && { example: examples[0] }),
    };
  });
}

function describeBody(body: NonNullable<OperationSchema["body"]>, examples?: Examples): Json {
  if ("content" in body) return { ...(plain(body) as Json), required: true };
  const schema = plain(named(body as TSchema));
  return { required: true, content: { "application/json": { schema, ...(examples && { examples }) } } };
}

function describeAnswer({ component, headers, ...rest }: Answer, components: Record<string, Json>): Json {
  const refs = headers?.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const described = plain({ ...rest, ...(refs && { headers: Object.fromEntries(refs) }) }) as Json;
  if (component === undefined) return described;
  components[component] = described;
  return { $ref: `#/components/responses/${component}` };
}

/** A schema with an `$id` is a component of that name. */
function named(schema: TSchema & { readonly $id?: string }): object {
  return schema.$id === undefined ? schema : { $ref: `${schema.$id}#` };
}

/** The same as JSON: without what TypeBox keeps on its schemas, and `Name#` as a reference to the component. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "$id" && !key.startsWith("~"));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key === "$ref" ? componentRef(String(inner)) : plain(inner)]),
  );
}

function componentRef(ref: string): string {
  return ref.endsWith("#") ? `#/components/schemas/${ref.slice(0, -1)}` : ref;
}
