import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import {
  type Answer,
  answer,
  COUNTED,
  field,
  HEADERS,
  type HeaderName,
  IGNORED_PARAMETERS,
  jsonAnswer,
  swaggerOptions,
  text,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import Type from "typebox";

const BASE = {
  openapi: "3.1.0",
  info: {
    title: "Partner Connect internal API",
    version: "1.0",
    description:
      "For the survey product: merchants, shops and responses come in under the product's own ids, and the sources that partners create go out. Every call can be repeated.",
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "Directory", description: "Merchants, shops, and who belongs to which." },
    { name: "Survey", description: "A shop's questions and responses." },
    { name: "Sources", description: "Attribution sources that partners create." },
    { name: "Discovery", description: "This description." },
  ],
  components: {
    securitySchemes: {
      product_key: { type: "http", scheme: "bearer", description: "A key of `partner-connect product-key create`." },
    },
  },
} as const;

const headers = Object.fromEntries(
  [...COUNTED, "retry-after", "www-authenticate", IGNORED_PARAMETERS].map((name) => [
    name,
    HEADERS[name as HeaderName],
  ]),
);

/** Collects the schemas of routes added afterwards. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  const securityOf = ({ needsNoKey }: FastifyContextConfig) => (needsNoKey ? [] : [{ product_key: [] }]);
  await app.register(swagger, swaggerOptions(securityOf, { base: BASE, headers }) as FastifyDynamicSwaggerOptions);
}

/** GET /internal/openapi.json. */
export function openApiRoute(app: FastifyInstance): void {
  const schema = {
    operationId: "getOpenApi",
    tags: ["Discovery"],
    summary: "This document.",
    description: "OpenAPI 3.1. No key is required.",
    response: {
      200: answer("The document.", ["x-request-id"], {
        "application/json": { schema: Type.Unsafe({ type: "object" }) },
      }),
    },
  };
  app.get("/internal/openapi.json", { schema, config: { needsNoKey: true } }, () => app.swagger());
}

const ID = /^[A-Za-z0-9._~-]{1,64}$/;
const ID_WORDS = "1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `~` and `-`";

/** Whether the product may use it as an id of a merchant, a shop or a response. */
export const isId = (value: string): boolean => ID.test(value);

export const mustBeId = `must be ${ID_WORDS}`;

/** An id in a path: the product's own. */
export const idParameter = (description: string, shown: string) =>
  field(text(`${description}: ${ID_WORDS}.`, shown, { pattern: ID.source }), ID_WORDS);

const ErrorBody = Type.Object(
  {
    error: text("Branch on the status and this code.", "invalid_request", {
      "x-extensible-enum": [
        ...["invalid_request", "unauthorized", "not_found", "conflict", "payload_too_large", "unsupported_media_type"],
        ...["too_many_requests", "internal_error", "unavailable"],
      ],
    }),
    error_description: Type.Optional(
      text("For people; it may change.", "plan must be standard or advanced_attribution."),
    ),
    field: Type.Optional(text("The field that is wrong.", "plan")),
    line: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "The line of the body, or element of the array, that is wrong.",
        examples: [3],
      }),
    ),
  },
  { $id: "Error", description: "Why a call was refused or failed." },
);

/** An error's answer. */
export const errorAnswer = (description: string, headers: readonly HeaderName[] = COUNTED): Answer =>
  jsonAnswer(ErrorBody, description, headers, {});

/** Answers of every operation with a key. */
export const ERROR_ANSWERS = {
  400: errorAnswer("A field, an id of the path or the body breaks a rule. Nothing was changed."),
  401: errorAnswer("The product key is missing, unknown or revoked.", ["x-request-id", "www-authenticate"]),
  429: errorAnswer("The key has used up its calls of this minute. Wait `retry-after` seconds.", [
    ...COUNTED,
    "retry-after",
  ]),
  500: errorAnswer("An error on our side. Retry later.", ["x-request-id"]),
  503: errorAnswer("A service that we depend on is unavailable. Wait `retry-after` seconds and repeat the call.", [
    "x-request-id",
    "retry-after",
  ]),
};

export const notFoundAnswer = errorAnswer("There is no such shop, merchant or response.");

/** Answers of operations with a body. */
export const BODY_ANSWERS = {
  413: errorAnswer("The body is too large."),
  415: errorAnswer("The body has another content type, or is compressed."),
};
