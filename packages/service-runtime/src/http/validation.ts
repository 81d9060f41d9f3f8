import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import type { Static, TArray, TObject, TRefine, TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";
import { Compile } from "typebox/schema";
import { nameIgnored } from "./ignored-parameters.ts";

/** The values of each query parameter, in the order in which they were sent. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

declare module "fastify" {
  interface FastifyRequest {
    /** All query parameters, where the route has a schema for them. */
    sentParameters: QueryParameters;
  }
}

interface ValidationOptions {
  readonly parse: (url: string) => QueryParameters;
  /** Makes the refusal of a parameter or field, or of the whole `body`: `limit`, "must be an integer from 1 to 1000". */
  readonly refuse: (name: string, problem: string) => Error;
}

/**
 * Validates bodies and query strings by their route's TypeBox schema, made of `field`s. The first property of the schema that is wrong is
 * refused. A parameter has one value; unknown ones are ignored, and named in a header, as a body's fields are. Schemas of headers only describe.
 */
export function validateRequests(app: FastifyInstance, { parse, refuse }: ValidationOptions): void {
  app.decorateRequest("sentParameters");
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.routeOptions.schema?.querystring) {
      request.sentParameters = parse(request.url);
      request.query = request.sentParameters;
    }
    done();
  });
  app.addHook("preHandler", (request, reply, done) => {
    const { querystring, body } = request.routeOptions.schema ?? {};
    if (querystring) nameIgnored(reply, request.sentParameters.keys(), (querystring as TObject).properties);
    if (body) nameIgnored(reply, Object.keys(request.body as object), (body as TObject).properties);
    done();
  });
  const compile: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
    if (httpPart !== "body" && httpPart !== "querystring") return () => true;
    const validate = httpPart === "querystring" ? queryValidator(schema, refuse) : validator(schema, refuse);
    return (sent: unknown) => {
      try {
        return { value: validate(sent as QueryParameters) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
  app.setValidatorCompiler(compile);
}

type Refuse = ValidationOptions["refuse"];

/** Makes a function that returns the values of a query string. It throws what `refuse` makes. */
export function queryValidator<Schema extends TSchema>(schema: Schema, refuse: Refuse) {
  const object = schema as unknown as TObject;
  const validate = validator(object, refuse);
  return (sent: QueryParameters) => validate(single(object, sent, refuse)) as Static<Schema>;
}

function validator(schema: TObject, refuse: Refuse): (value: unknown) => unknown {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    const [, errors] = compiled.Errors(value);
    throw refuse(...problemOf(schema, errors));
  };
}

/** The one value of each known parameter; an integer as a number. */
function single({ properties }: TObject, sent: QueryParameters, refuse: Refuse): object {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const [value, ...more] = sent.get(name) ?? [];
    if (more.some((other) => other !== value)) throw refuse(name, "has two values");
    if (value !== undefined) values[name] = isInteger(schema) && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value;
  }
  return values;
}

const isInteger = (schema: TSchema): boolean => (schema as { readonly type?: unknown }).type === "integer";

/** The first property, in the order of the schema, that is wrong, and the rule that it breaks. */
function problemOf(
  { properties }: TObject,
  errors: readonly TLocalizedValidationError[],
): [name: string, problem: string] {
  const paths = errors.flatMap((error) =>
    error.keyword === "required" ? error.params.requiredProperties.map((name) => `/${name}`) : [error.instancePath],
  );
  for (const [name, schema] of Object.entries(properties)) {
    const isElement = paths.some((path) => path.startsWith(`/${name}/`));
    if (paths.includes(`/${name}`) || isElement) {
      const words = (isElement && wordsOf((schema as TArray).items)) || wordsOf(schema);
      return [name, `must be ${words ?? "valid"}`];
    }
  }
  return ["body", "must be a JSON object"];
}

const wordsOf = (schema: TSchema): string | undefined => (schema as Partial<TRefine>)["~refine"]?.[0]?.error({});
