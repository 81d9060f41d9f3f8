import { isUtf8 } from "node:buffer";
import { IGNORED_PARAMETERS } from "@partner-connect/contract/openapi";
import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import type { Static, TArray, TObject, TRefine, TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";
import { Compile } from "typebox/schema";

/** The values of each query parameter, in the order sent. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

declare module "fastify" {
  interface FastifyRequest {
    /** All query parameters, if the route has a schema for them. */
    sentParameters: QueryParameters;
  }
}

/**
 * Creates the refusal of a parameter, field or the whole `body`, for example `limit`, "must be an
 * integer from 1 to 1000".
 */
type Refuse = (name: string, problem: string) => Error;

/**
 * Validates bodies and query strings by their route's TypeBox schema, made of `field`s. Reports the
 * first invalid property of the schema. Parameters have one value; unknown ones are ignored and
 * named in a header, as are unknown fields unless the schema forbids them. Header schemas are only
 * documentation.
 */
export function validateRequests(app: FastifyInstance, refuse: Refuse): void {
  app.decorateRequest("sentParameters");
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.routeOptions.schema?.querystring) {
      request.sentParameters = readQuery(request.url);
      request.query = request.sentParameters;
    }
    done();
  });
  app.addHook("preHandler", (request, reply, done) => {
    const { querystring, body } = (request.routeOptions.schema ?? {}) as {
      querystring?: TObject;
      body?: Partial<TObject>;
    };
    if (querystring) nameIgnored(reply, request.sentParameters.keys(), querystring.properties);
    // A body that is a stream has no properties.
    if (body?.properties) nameIgnored(reply, Object.keys(request.body as object), body.properties);
    done();
  });
  const compile: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
    if (httpPart !== "body" && httpPart !== "querystring") return () => true;
    const validate =
      httpPart === "querystring" ? queryValidator(schema, refuse) : validator(schema, refuse);
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

/** Returns a function that validates query strings, and throws `refuse`'s error. */
export function queryValidator<Schema extends TSchema>(schema: Schema, refuse: Refuse) {
  const object = schema as unknown as TObject;
  const validate = validator(object, refuse);
  return (sent: QueryParameters) => validate(singleValues(object, sent, refuse)) as Static<Schema>;
}

function validator(schema: TObject, refuse: Refuse): (value: unknown) => unknown {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    const [, errors] = compiled.Errors(value);
    throw refuse(...problemOf(schema, errors));
  };
}

/** The only value of each known parameter, with integers converted. */
function singleValues({ properties }: TObject, sent: QueryParameters, refuse: Refuse): object {
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const [value, ...more] = sent.get(name) ?? [];
    if (more.some((other) => other !== value)) throw refuse(name, "has two values");
    if (value !== undefined)
      values[name] = isInteger(schema) && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value;
  }
  return values;
}

const isInteger = (schema: TSchema): boolean =>
  (schema as { readonly type?: unknown }).type === "integer";

/** The first invalid property, in the schema's order, and the rule it breaks. */
function problemOf(
  { properties }: TObject,
  errors: readonly TLocalizedValidationError[],
): [name: string, problem: string] {
  const paths = errors.flatMap((error) =>
    error.keyword === "required"
      ? error.params.requiredProperties.map((name) => `/${name}`)
      : [error.instancePath],
  );
  for (const [name, schema] of Object.entries(properties)) {
    const isElement = paths.some((path) => path.startsWith(`/${name}/`));
    if (paths.includes(`/${name}`) || isElement) {
      const words = (isElement && wordsOf((schema as TArray).items)) || wordsOf(schema);
      return [name, `must be ${words ?? "valid"}`];
    }
  }
  const [unknown] = errors.flatMap((error) =>
    error.keyword === "additionalProperties" && error.instancePath === ""
      ? error.params.additionalProperties
      : [],
  );
  if (unknown !== undefined)
    return [unknown.slice(0, MOST_CHARACTERS), "is not a field of this record"];
  return ["body", "must be a JSON object"];
}

const wordsOf = (schema: TSchema): string | undefined =>
  (schema as Partial<TRefine>)["~refine"]?.[0]?.error({});

const MOST_NAMES = 10;
const MOST_CHARACTERS = 64;

/**
 * Names `sent` parameters that are not `known` in a response header, percent-encoded and bounded,
 * without values.
 */
export function nameIgnored(
  answer: { header(name: string, value: string): unknown },
  sent: Iterable<string>,
  known: object,
): void {
  const ignored = [...sent].filter((name) => !Object.hasOwn(known, name) && name !== "");
  if (ignored.length === 0) return;
  answer.header(
    IGNORED_PARAMETERS,
    [...new Set(ignored)].slice(0, MOST_NAMES).map(encodedName).join(", "),
  );
}

function encodedName(name: string): string {
  const encoded = encodeURIComponent(name.slice(0, MOST_CHARACTERS).toWellFormed());
  return encoded.slice(0, MOST_CHARACTERS).replace(/%.?$/, "");
}

/** The error's code if the body has a `Content-Encoding`. */
export const COMPRESSED_BODY = "COMPRESSED_BODY";

/**
 * Refuses encoded bodies with 415, and names the accepted coding, `identity` (RFC 9110 §15.5.16).
 */
export function refuseCompressed(app: FastifyInstance): void {
  app.addHook("preParsing", (request, reply, _payload, done) => {
    const { "content-encoding": coding = "identity" } = request.headers;
    if (/^(?:GET|HEAD)$/.test(request.method) || coding.toLowerCase() === "identity") return done();
    reply.header("accept-encoding", "identity");
    done(Object.assign(new Error(COMPRESSED_BODY), { statusCode: 415, code: COMPRESSED_BODY }));
  });
}

/**
 * Sends JSON, and accepts uncompressed JSON (RFC 8259 §8.1), else 415, except for an empty body.
 * Bytes that are not UTF-8 get 400, because Node would replace them by U+FFFD.
 */
export function takeJson(app: FastifyInstance, malformedBody: () => Error): void {
  const parse = app.getDefaultJsonParser("error", "error");
  refuseCompressed(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    (request, body, done) => {
      // Some HTTP clients name a type for each PUT, even one without a body.
      if (body.length === 0) return done(null, undefined);
      if (!isUtf8(body)) return done(malformedBody());
      return parse(request, body.toString("utf8"), done);
    },
  );
  app.addContentTypeParser("*", ({ is404, headers }, _payload, done) => {
    const isEmpty =
      headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
    return is404 || isEmpty
      ? done(null, undefined)
      : done(Object.assign(new Error("no JSON"), { statusCode: 415 }));
  });
  app.setSerializerCompiler(() => JSON.stringify); // response schemas are only documentation
}

/**
 * The parameters of a URL's query. Text that is not percent-encoded UTF-8 is kept or replaced by
 * U+FFFD, which no parameter accepts.
 */
export function readQuery(url: string): QueryParameters {
  const pairs = new URLSearchParams(url.split("?").slice(1).join("?"));
  const groups = Map.groupBy(pairs, ([name]) => name);
  return new Map([...groups].map(([name, group]) => [name, group.map(([, value]) => value)]));
}
