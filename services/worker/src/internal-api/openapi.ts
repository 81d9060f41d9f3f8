import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import type { Actor } from "@partner-connect/audit";
import {
  type Answer,
  answer,
  COUNTED,
  type Examples,
  field,
  HEADERS,
  IGNORED_PARAMETERS,
  jsonAnswer,
  swaggerOptions,
  text,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import { isUnknown } from "./api-error.ts";

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
    { name: "Connections", description: "The partners' apps that are connected with a shop." },
    { name: "Survey", description: "A shop's questions and responses." },
    { name: "Sources", description: "Attribution sources that partners create." },
    { name: "Discovery", description: "This description." },
  ],
  components: {
    securitySchemes: {
      product_key: { type: "http", scheme: "bearer", description: "A key of `partner-connect product-key create`." },
    },
  },
};

const CODES = [
  ...["invalid_request", "unauthorized", "not_found", "conflict", "cursor_expired", "payload_too_large"],
  ...["unsupported_media_type", "too_many_requests", "internal_error", "unavailable"],
];

const FIELD = text("The field that is wrong.", "plan");
const LINE = Type.Integer({
  minimum: 1,
  description: "The wrong line of the body, or element of the array.",
  examples: [3],
});

const ErrorBody = Type.Object(
  {
    error: text("Branch on the status and this code.", "invalid_request", { "x-extensible-enum": CODES }),
    error_description: Type.Optional(text("For people; it may change.", "plan must be standard.")),
    field: Type.Optional(FIELD),
    line: Type.Optional(LINE),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          line: LINE,
          field: Type.Optional(FIELD),
          error_description: text("For people; it may change.", "line 3: question_id must be an integer"),
        }),
        { description: "Of a call of many records: the first wrong lines, ten at most." },
      ),
    ),
  },
  { $id: "Error", description: "Why a call was refused or failed." },
);

const errors = (headers: Parameters<typeof answer>[1], descriptions: Readonly<Record<number, string>>) =>
  Object.entries(descriptions).map(([status, text]) => [status, jsonAnswer(ErrorBody, text, headers, {})]);

const ERRORS: Readonly<Record<string, Answer>> = Object.fromEntries([
  ...errors(COUNTED, {
    400: "A parameter, a field or the body breaks a rule. Nothing was changed.",
    404: "There is no such shop, merchant or response.",
    409: "Another merchant has the email; the record is being erased; or it is an operator's account or a partner's test shop. Nothing was changed.",
    410: "The cursor has expired. Read from the beginning: one entry for each source.",
    413: "The body is too large.",
    415: "The body has another content type, or is compressed.",
  }),
  ...errors(["x-request-id", "www-authenticate"], { 401: "The product key is missing, unknown or revoked." }),
  ...errors([...COUNTED, "retry-after"], {
    429: "The key's calls of this minute are used up. Wait `retry-after` seconds.",
  }),
  ...errors(["x-request-id"], { 500: "An error on our side. Retry later." }),
  ...errors(["x-request-id", "retry-after"], { 503: "Unavailable. Wait `retry-after` seconds and repeat the call." }),
]);

/** A 2xx with a body. */
export const ok = (schema: TSchema, description: string, examples: Examples = {}): Answer =>
  jsonAnswer(schema, description, [...COUNTED, IGNORED_PARAMETERS], examples);

/** An operation on one record. */
export interface Operation {
  readonly method: "GET" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: TSchema;
  readonly bodyLimit?: number;
  readonly querystring?: TSchema;
  /** The response's record. Default: 204 without a body. */
  readonly record?: TSchema;
  run(
    ids: Readonly<Record<"id" | "merchant_id" | "response_id" | "question_id" | "connection_id", string>>,
    actor: Actor,
    body: unknown,
    query: unknown,
  ): Promise<{ readonly record: object; readonly isNew: boolean }> | Promise<void>;
}

export function addOperations(app: FastifyInstance, tag: string, operations: readonly Operation[]): void {
  for (const { method, url, bodyLimit, record, run, ...described } of operations) {
    const response: Record<number, Answer> = {
      ...(record && {
        200: ok(record, method === "GET" ? "As it is now." : "It was there; what differed was changed."),
      }),
      ...(record && method === "PUT" && { 201: ok(record, "It is new.") }),
      ...(!record && { 204: answer("Done. No body.", COUNTED) }),
    };
    app.route({
      ...{ method, url, schema: { tags: [tag], ...described, response }, ...(bodyLimit && { bodyLimit }) },
      async handler({ params, actor, body, query }, reply) {
        try {
          const done = await run(params as Parameters<typeof run>[0], actor, body, query);
          if (done) return reply.code(done.isNew ? 201 : 200).send(done.record);
        } catch (error) {
          // What is not there needs no deletion.
          if (method !== "DELETE" || !isUnknown(error)) throw error;
        }
        return reply.code(204).send();
      },
    });
  }
}

const ID = /^[A-Za-z0-9._~-]{1,64}$/;
const ID_WORDS = "1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `~` and `-`";

/** True if it can be the id of a merchant, a shop or a response. */
export const isId = (value: string): boolean => ID.test(value);

export const mustBeId = `must be ${ID_WORDS}`;

/** Collects the schemas of routes added afterwards, and adds what follows from their paths and methods: ids and errors. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", ({ url, method, schema, config }) => {
    if (!schema || config?.needsNoKey) return;
    const ids = [...url.matchAll(/(\w+)s\/:(\w+)/g)].map(([, what, name = ""]) => [
      name,
      field(
        text(`${what === "connection" ? "The" : "Your"} id of the ${what}: ${ID_WORDS}.`, "42", { pattern: ID.source }),
        ID_WORDS,
      ),
    ]);
    const statuses = [400, 401, 429, 500, 503];
    if (schema.body) statuses.push(413, 415);
    if (method !== "DELETE" && url.includes(method === "GET" ? "/:id" : "/:id/")) statuses.push(404);
    if (ids.length > 0 && /GET|PUT|DELETE/.test(String(method))) statuses.push(409);
    if (url.endsWith("/sources")) statuses.push(410);
    const refused = Object.fromEntries(statuses.map((status) => [status, ERRORS[status]]));
    schema.response = { ...(schema.response as object), ...refused };
    if (ids.length > 0) schema.params = Type.Object(Object.fromEntries(ids));
  });
  const securityOf = ({ needsNoKey }: FastifyContextConfig) => (needsNoKey ? [] : [{ product_key: [] }]);
  const used = [...COUNTED, "retry-after", "www-authenticate", IGNORED_PARAMETERS] as const;
  const headers = Object.fromEntries(used.map((name) => [name, HEADERS[name]]));
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
