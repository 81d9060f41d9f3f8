import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import type { Actor } from "@partner-connect/audit";
import {
  type Answer,
  answer,
  COUNTED,
  type DescribedDocument,
  type Examples,
  example,
  field,
  HEADERS,
  IGNORED_PARAMETERS,
  jsonAnswer,
  swaggerOptions,
  text,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance, FastifyReply } from "fastify";
import Type, { type Static, type TObject, type TSchema } from "typebox";
import { isNotFoundError } from "./api-error.ts";
import { DOCS_HEADERS, docsPage } from "./docs.view.ts";

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
      product_key: {
        type: "http",
        scheme: "bearer",
        description: "A key created by `partner-connect product-key create`.",
      },
    },
  },
};

/** The error code of each status. */
const CODES = {
  400: "invalid_request",
  401: "unauthorized",
  404: "not_found",
  409: "conflict",
  410: "cursor_expired",
  413: "payload_too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  500: "internal_error",
  503: "unavailable",
} as const;

const FIELD = text("The field that is wrong.", "plan");
const LINE = Type.Integer({
  minimum: 1,
  description: "The wrong line of the body, or element of the array.",
  examples: [3],
});

const ErrorBody = Type.Object(
  {
    error: text("Branch on the status and this code.", "invalid_request", {
      "x-extensible-enum": Object.values(CODES),
    }),
    error_description: Type.Optional(text("For people; it may change.", "plan must be standard.")),
    field: Type.Optional(FIELD),
    line: Type.Optional(LINE),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          line: LINE,
          field: Type.Optional(FIELD),
          error_description: text(
            "For people; it may change.",
            "line 3: question_id must be an integer",
          ),
        }),
        { description: "In a batch: the first wrong lines, at most ten." },
      ),
    ),
  },
  { $id: "Error", description: "Why a call was refused or failed." },
);

type ErrorExamples = Readonly<Record<string, Omit<Static<typeof ErrorBody>, "error">>>;

/** The response for an error. Each example has the error code of the status. */
const errors = (
  status: keyof typeof CODES,
  headers: Parameters<typeof answer>[1],
  text: string,
  examples: ErrorExamples,
) => {
  const shown = Object.entries(examples).map(([summary, body]) => [
    summary.replaceAll(" ", "_"),
    example(summary, { error: CODES[status], ...body }),
  ]);
  return [status, jsonAnswer(ErrorBody, text, headers, Object.fromEntries(shown))] as const;
};

const MISSPELT = {
  error_description: 'line 3: "emial" is not a field of this record',
  line: 3,
  field: "emial",
};
const WRONG_TYPE = {
  error_description: "line 8: question_id must be an integer",
  line: 8,
  field: "question_id",
};

const ERRORS: Readonly<Record<string, Answer>> = Object.fromEntries([
  errors(400, COUNTED, "A parameter, a field or the body breaks a rule. Nothing was changed.", {
    "A wrong value": {
      error_description: "plan must be standard or advanced_attribution.",
      field: "plan",
    },
    "A bad line of many": { ...MISSPELT, errors: [MISSPELT, WRONG_TYPE] },
  }),
  errors(
    401,
    ["x-request-id", "www-authenticate"],
    "The product key is missing, unknown or revoked.",
    { "No key": {} },
  ),
  errors(404, COUNTED, "There is no such shop, merchant or response.", {
    "An unknown shop": { error_description: 'there is no shop "42"' },
  }),
  errors(
    409,
    [...COUNTED, "retry-after"],
    "Another merchant has the email; the record is being erased (`retry-after`); or it is an operator's account or a partner's test shop. Nothing was changed.",
    {
      "An email that is taken": {
        error_description: "another merchant has the email anna@shop.example",
        field: "email",
      },
      "An id that is being erased": {
        error_description: 'the shop "42" is being erased; try again later',
      },
    },
  ),
  errors(
    410,
    COUNTED,
    "The cursor has expired. Read from the beginning: one entry for each source.",
    { "A cursor past a restored database": { error_description: "Read from the beginning." } },
  ),
  errors(413, COUNTED, "The body is too large.", {
    "Over 16 MB": { error_description: "A body has at most 16 MB." },
  }),
  errors(415, COUNTED, "The body has another content type, or is compressed.", {
    "A compressed body": { error_description: "content-encoding must be identity, not gzip." },
  }),
  errors(
    429,
    [...COUNTED, "retry-after"],
    "The key's calls of this minute are used up. Wait `retry-after` seconds.",
    { "Too many calls": {} },
  ),
  errors(500, ["x-request-id"], "An error on our side. Retry later.", { "A defect": {} }),
  errors(
    503,
    ["x-request-id", "retry-after"],
    "Unavailable. Wait `retry-after` seconds and repeat the call.",
    { "Postgres is away, or too many large calls": {} },
  ),
]);

/** A successful response with a body. */
export const ok = (schema: TSchema, description: string, examples: Examples = {}): Answer =>
  jsonAnswer(schema, description, [...COUNTED, IGNORED_PARAMETERS], examples);

const OLDER_VERSIONS = {
  description:
    "How many records or deletions had no effect, because the stored response, or its deletion, has a higher version. Absent if none. If no call was late, the product's numbers have gone back.",
  schema: { type: "integer" },
  example: 3,
  required: false,
};

/** Documents the header `x-older-versions` of the response. */
export const withOlder = (described: Answer): Answer => ({
  ...described,
  headers: { ...described.headers, "x-older-versions": {} },
});

export const setOlder = (reply: FastifyReply, count: number): unknown =>
  count > 0 && reply.header("x-older-versions", count);

type ErrorStatus = 404 | 409 | 410;

declare module "fastify" {
  interface FastifyContextConfig {
    readonly errorStatuses?: readonly ErrorStatus[];
  }
}

/** An operation on one record. */
export interface Operation {
  readonly method: "GET" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: TSchema;
  readonly bodyLimit?: number;
  /** The version of a deletion, whose answer may have `x-older-versions`. */
  readonly querystring?: TSchema;
  /** Statuses that are documented in addition to those of every route. */
  readonly errorStatuses: readonly ErrorStatus[];
  /** Schema of the response's body. Default: 204 without a body. */
  readonly record?: TSchema;
  run(
    ids: Readonly<
      Record<"id" | "merchant_id" | "response_id" | "question_id" | "connection_id", string>
    >,
    actor: Actor,
    body: unknown,
    query: unknown,
    reply: FastifyReply,
  ): Promise<{ readonly record: object; readonly isNew: boolean }> | Promise<void>;
}

export function addOperations(app: FastifyInstance, tag: string, operations: readonly Operation[]) {
  for (const { method, url, errorStatuses, bodyLimit, record, run, ...described } of operations) {
    const done = answer("Done. No body.", COUNTED);
    const response: Record<number, Answer> = {
      ...(record && {
        200: ok(
          record,
          method === "GET" ? "The record." : "The record existed; it now has these values.",
        ),
      }),
      ...(record && method === "PUT" && { 201: ok(record, "The record was created.") }),
      ...(!record && { 204: described.querystring ? withOlder(done) : done }),
    };
    app.route({
      method,
      url,
      schema: { tags: [tag], ...described, response },
      config: { errorStatuses },
      ...(bodyLimit && { bodyLimit }),
      async handler({ params, actor, body, query }, reply) {
        try {
          const made = await run(params as Parameters<typeof run>[0], actor, body, query, reply);
          if (made) return reply.code(made.isNew ? 201 : 200).send(made.record);
        } catch (error) {
          // A DELETE of an unknown record succeeds.
          if (method !== "DELETE" || !isNotFoundError(error)) throw error;
        }
        return reply.code(204).send();
      },
    });
  }
}

const ID = /^(?!\.\.?$)[A-Za-z0-9._~-]{1,64}$/;
export const ID_WORDS = "1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `~` and `-`, but not `.` or `..`";

/** True if a merchant, a shop or a response can have this id. */
export const isId = (value: string): boolean => ID.test(value);

export const mustBeId = `must be ${ID_WORDS}`;

/** Adds path ids and errors to the schemas of routes registered later, and documents the routes. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", ({ url, schema, config }) => {
    if (!schema || config?.needsNoKey) return;
    const ids = [...url.matchAll(/(\w+)s\/:(\w+)/g)].map(([, what, name = ""]) => [
      name,
      field(
        text(`${what === "connection" ? "The" : "Your"} id of the ${what}: ${ID_WORDS}.`, "42", {
          pattern: ID.source,
        }),
        ID_WORDS,
      ),
    ]);
    const ofBody = schema.body ? [413, 415] : [];
    const statuses = [400, 401, 429, 500, 503, ...ofBody, ...(config?.errorStatuses ?? [])];
    if ((schema.body as Partial<TObject> | undefined)?.properties) {
      Object.assign(schema.body as TObject, { additionalProperties: false });
    }
    const refused = Object.fromEntries(statuses.map((status) => [status, ERRORS[status]]));
    schema.response = { ...(schema.response as object), ...refused };
    if (ids.length > 0) schema.params = Type.Object(Object.fromEntries(ids));
  });
  const securityOf = ({ needsNoKey }: FastifyContextConfig) =>
    needsNoKey ? [] : [{ product_key: [] }];
  const used = [...COUNTED, "retry-after", "www-authenticate", IGNORED_PARAMETERS] as const;
  const shared = Object.fromEntries(used.map((name) => [name, HEADERS[name]]));
  const headers = { ...shared, "x-older-versions": OLDER_VERSIONS };
  await app.register(
    swagger,
    swaggerOptions(securityOf, { base: BASE, headers }) as FastifyDynamicSwaggerOptions,
  );
}

/** GET /internal/openapi.json, and the same document as a page. */
export function openApiRoutes(app: FastifyInstance): void {
  const schema = {
    operationId: "getOpenApi",
    tags: ["Discovery"],
    summary: "This document.",
    description: "OpenAPI 3.1; `/internal/docs` shows it as a page. No key is required.",
    response: {
      200: answer("The document.", ["x-request-id"], {
        "application/json": { schema: Type.Unsafe({ type: "object" }) },
      }),
    },
  };
  const config = { needsNoKey: true };
  app.get("/internal/openapi.json", { schema, config }, () => app.swagger());
  app.get("/internal/docs", { config }, (_request, reply) =>
    reply.headers(DOCS_HEADERS).send(docsPage(app.swagger() as unknown as DescribedDocument)),
  );
}
