import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { ERROR_SCHEMAS } from "../errors/error.schema.ts";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
}

interface Parameter {
  readonly schema: { readonly deprecated?: boolean };
}

const SECURITY_SCHEMES = {
  access_token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  api_key: { type: "apiKey", in: "header", name: "Authorization" },
} as const;

/**
 * GET /api/openapi.json, for everybody: the API as OpenAPI 3.1, made of the schemas of the routes that are added after this.
 * A schema with an `$id` that a route adds (`app.addSchema`) is a component there.
 */
export async function describeApi(app: FastifyInstance, publicApiUrl: string): Promise<void> {
  // Routes write their answers themselves, most of them from bytes that the database made: their schemas only describe.
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Partner Connect API", version: "1" },
      servers: [{ url: publicApiUrl }],
      security: [{ access_token: [] }, { api_key: [] }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transform: ({ schema, url }) => ({ schema: bodyByName(schema), url }),
  });
  for (const schema of ERROR_SCHEMAS) app.addSchema(schema);

  let document: string;
  app.addHook("onReady", async () => {
    const described = app.swagger() as Document;
    markDeprecatedParameters(described);
    document = JSON.stringify(described);
  });
  app.get("/api/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "public, max-age=300").send(document),
  );
}

/** A route has its body's schema whole, as it validates by it; the document names it. */
function bodyByName(schema: FastifySchema): FastifySchema {
  const { $id } = (schema?.body ?? {}) as { readonly $id?: string };
  return $id === undefined ? schema : { ...schema, body: { $ref: `${$id}#` } };
}

/** The plugin leaves `deprecated` in a parameter's schema; OpenAPI has it beside the schema. */
function markDeprecatedParameters({ paths }: Document): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const { deprecated, ...schema } = parameter.schema;
    if (deprecated) Object.assign(parameter, { deprecated, schema });
  }
}
