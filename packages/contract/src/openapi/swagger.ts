import { BASE, HEADERS } from "./base.ts";
import type { DescribedDocument, DescribedOperation } from "./described.ts";

type Json = Record<string, unknown>;

interface Route {
  readonly url: string;
  readonly schema?: object;
  readonly route: { readonly config?: object };
}

/**
 * Options of `@fastify/swagger` for one server's part of the document. A schema with an `$id`
 * becomes the component of that name; a body's `x-examples` become its examples. Untagged routes
 * and HEAD are omitted. `securityOf` maps a route's `config` to its security. `base` and `headers`
 * are the document's parts besides operations. Default: those of the partners' document.
 */
export function swaggerOptions<Config>(
  securityOf: (config: Config) => readonly Json[],
  { base, headers }: { readonly base: object; readonly headers: object } = {
    base: BASE,
    headers: HEADERS,
  },
) {
  const schemas: Record<string, object> = {};
  const bodies = new Map<unknown, object>();
  const collectSchemas = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(collectSchemas);
    if (typeof value !== "object" || value === null) return value;
    const { $id, "x-examples": _, ...rest } = value as Json & { readonly $id?: string };
    const inner = () =>
      Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, collectSchemas(each)]));
    if ($id === undefined) return inner();
    schemas[$id] ??= inner();
    return { $ref: `#/components/schemas/${$id}` };
  };
  return {
    openapi: base,
    hideUntagged: true,
    stripBasePath: false,
    convertConstToEnum: false,
    transform({ url, schema: described, route }: Route) {
      const schema = collectSchemas(described ?? {}) as Json;
      const { body } = (described ?? {}) as { readonly body?: Json };
      if (body) bodies.set(schema["operationId"], bodyOf(body, schema["body"]));
      return { url, schema: { ...schema, security: securityOf((route.config ?? {}) as Config) } };
    },
    transformObject({ openapiObject }: { readonly openapiObject: object }): object {
      const { paths, components, ...document } = openapiObject as DescribedDocument;
      return {
        ...document,
        paths: mapValues(paths, ({ head: _, ...item }) =>
          mapValues(item, (operation) => withRestoredParts(operation, bodies)),
        ),
        components: { ...components, headers, schemas },
      };
    },
  };
}

/** The body's content: as the schema describes it, or else JSON. */
function bodyOf(body: Json, described: unknown): object {
  if ("content" in body) return described as object;
  return { content: { "application/json": { schema: described, examples: body["x-examples"] } } };
}

/** Restores what the plugin drops or misplaces: bodies, `deprecated`, references to headers. */
function withRestoredParts(
  { parameters, responses, ...operation }: DescribedOperation,
  bodies: ReadonlyMap<unknown, object>,
): DescribedOperation {
  const body = bodies.get(operation.operationId);
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map(
        ({ schema: { deprecated, ...schema } = {}, required, ...parameter }) => ({
          ...parameter,
          ...(required && { required }),
          ...(deprecated === true && { deprecated }),
          schema,
        }),
      ),
    }),
    ...(body && { requestBody: { ...body, required: true } }),
    responses: mapValues(responses, ({ headers = {}, ...response }) => ({
      ...response,
      headers: Object.fromEntries(
        Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
    })),
  };
}

function mapValues<From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
