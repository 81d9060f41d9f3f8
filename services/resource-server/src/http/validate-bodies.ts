import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import Type, { type TArray, type TObject, type TRefine, type TRefineAdd, type TSchema } from "typebox";
import type { TLocalizedValidationError } from "typebox/error";
import { Compile } from "typebox/schema";
import { type ApiError, invalidRequest, malformedRequest } from "../errors/api-error.ts";

/** A body is JSON in UTF-8 (RFC 8259 §8.1), else 415, or 400 for other bytes: Node would replace them by U+FFFD, and store another text. */
export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (!isUtf8(body)) return done(malformedRequest("body"));
    return parse(request, body.toString("utf8"), done);
  });
}

/**
 * Validates each body by its route's TypeBox schema, whose fields {@link field} makes. Schemas of query strings only describe, for the
 * OpenAPI document: no schema says their rules, so functions do.
 */
export function validateBodies(app: FastifyInstance): void {
  app.setValidatorCompiler<TObject>(({ schema, httpPart }) => {
    if (httpPart !== "body") return () => true;
    const validator = Compile(schema);
    return (body) => {
      const [isValid, errors] = validator.Check(body) ? [true, []] : validator.Errors(body);
      return isValid ? { value: body } : { error: refusalOf(schema, errors) };
    };
  });
}

/** A field of a body, with what its value must be, in words for the refusal, and a rule that no schema says. */
export function field<Schema extends TSchema>(
  schema: Schema,
  mustBe: string,
  holds: (value: unknown) => boolean = () => true,
): TRefineAdd<Schema> {
  return Type.Refine(schema, holds, () => mustBe);
}

/** The refusal names the first field, in the order of the schema, that is wrong. */
function refusalOf({ properties }: TObject, errors: readonly TLocalizedValidationError[]): ApiError {
  const paths = errors.flatMap((error) =>
    error.keyword === "required" ? error.params.requiredProperties.map((name) => `/${name}`) : [error.instancePath],
  );
  for (const [name, schema] of Object.entries(properties)) {
    if (paths.includes(`/${name}`)) return invalidRequest(name, `${name} must be ${wordsOf(schema)}.`);
    const isElement = paths.some((path) => path.startsWith(`/${name}/`));
    if (isElement) return invalidRequest(name, `${name} must be ${wordsOf((schema as TArray).items)}.`);
  }
  return invalidRequest("body", "The body must be a JSON object.");
}

function wordsOf(schema: TSchema): string {
  return (schema as Partial<TRefine>)["~refine"]?.[0]?.error({}) ?? "valid";
}
