import { type Field, type FieldKind, QUESTION_FIELDS, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import type { FastifyInstance } from "fastify";
import { DEFAULT_LIMIT, MAX_LIMIT } from "./pagination/page-parameters.ts";
import { LEGACY_NAMES } from "./responses/legacy-names.ts";
import { DEFAULT_SORT, SORTS } from "./responses/sort.ts";
import { MAX_ALIASES, MAX_EXTERNAL_ID, MAX_NAME, MAX_URL, SOURCE_TYPES } from "./sources/source.ts";

type Schema = Readonly<Record<string, unknown>>;

const TIMESTAMP = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" };

const KINDS: Readonly<Record<Exclude<FieldKind, "list">, Schema>> = {
  text: { type: ["string", "null"] },
  reference: { type: ["string", "null"] },
  integer: { type: ["integer", "null"] },
  decimal: { type: ["string", "null"], pattern: "^-?\\d+(\\.\\d+)?$" },
  boolean: { type: ["boolean", "null"] },
  boolean_or_text: { type: ["boolean", "string", "null"] },
  timestamp: { ...TIMESTAMP, type: ["string", "null"] },
};

/** What every record has. */
const NEVER_NULL: Readonly<Record<string, Schema>> = { inserted_at: TIMESTAMP, updated_at: TIMESTAMP };

function recordSchema(fields: readonly Field[], known: Readonly<Record<string, Schema>> = {}): Schema {
  const properties = fields.map((field) => [field.name, known[field.name] ?? fieldSchema(field)] as const);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.map((field) => field.name),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field): Schema {
  if (field.kind === "list") return { type: ["array", "null"], items: recordSchema(field.fields ?? []) };
  return field.oneOf ? { enum: [...field.oneOf, null] } : KINDS[field.kind];
}

function listSchema(record: string): Schema {
  const link = {
    type: ["string", "null"],
    description: "Absolute URL, in canonical parameter names; null at the end.",
  };
  return {
    type: "object",
    properties: { data: { type: "array", items: { $ref: `#/components/schemas/${record}` } }, prev: link, next: link },
    required: ["data", "prev", "next"],
    additionalProperties: false,
  };
}

const text = (maxLength: number): Schema => ({ type: "string", minLength: 1, maxLength });
const NEW_SOURCE = {
  name: text(MAX_NAME),
  type: { enum: SOURCE_TYPES },
  external_id: {
    ...text(MAX_EXTERNAL_ID),
    type: ["string", "null"],
    description: "Your own id; at most one source has it.",
  },
  url: { ...text(MAX_URL), type: ["string", "null"], format: "uri" },
  aliases: { type: ["array", "null"], items: text(MAX_NAME), maxItems: MAX_ALIASES },
};

const SCHEMAS = {
  Response: recordSchema(RESPONSE_FIELDS, { id: text(64), ...NEVER_NULL }),
  Question: recordSchema(QUESTION_FIELDS, { id: { type: "integer" }, ...NEVER_NULL }),
  NewSource: { type: "object", properties: NEW_SOURCE, required: ["name", "type"] },
  Source: {
    type: "object",
    properties: {
      id: { type: "string" },
      ...NEW_SOURCE,
      aliases: { type: "array", items: text(MAX_NAME) },
      ...NEVER_NULL,
    },
    required: ["id", ...Object.keys(NEW_SOURCE), "inserted_at", "updated_at"],
    additionalProperties: false,
  },
  ResponseList: listSchema("Response"),
  QuestionList: listSchema("Question"),
  Error: {
    type: "object",
    properties: { error: { type: "string" } },
    required: ["error"],
    additionalProperties: false,
  },
  InvalidRequest: {
    type: "object",
    properties: {
      error: { const: "invalid_request" },
      error_description: { type: "string" },
      param: { type: "string" },
    },
    required: ["error", "error_description", "param"],
    additionalProperties: false,
  },
};

const json = (schema: keyof typeof SCHEMAS): Schema => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
});
const error = (description: string): Schema => ({ description, content: json("Error") });
const ERRORS = {
  400: { description: "A parameter breaks a rule; `param` names it.", content: json("InvalidRequest") },
  401: error("`unauthorized`: no valid access token or API key."),
  403: error("`forbidden`: the connection was revoked or disabled. `insufficient_scope`: its scopes don't cover this."),
  429: error("`too_many_requests`: see `retry-after`, in seconds."),
  500: error("`internal_error`."),
  503: error("`unavailable`: try again after `retry-after` seconds."),
};

const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: "query",
  schema,
  description,
});
const LIMIT = query("limit", { type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }, "Page size.");
const CURSORS = [
  query("starting_after", { type: "string" }, "The page after the record with this id."),
  query(
    "ending_before",
    { type: "string" },
    "The page before the record with this id. Not together with starting_after.",
  ),
];
const TIME = { type: "string", format: "date-time" };
const CURSOR_TIME = query(
  "cursor_time",
  TIME,
  "The updated_at of the cursor's record, as it was shown. Under updated_at_* the page then goes on exactly from there, " +
    "however the record has changed since; without it records may repeat. Only with a cursor; ignored under inserted_at_*.",
);
const FILTERS = ["inserted_at", "updated_at"].flatMap((column) => [
  query(`${column}_min`, TIME, `Inclusive lower bound on ${column}.`),
  query(`${column}_max`, TIME, `Inclusive upper bound on ${column}.`),
]);
const LEGACY = [...LEGACY_NAMES].map(([legacy, canonical]) => ({
  ...query(legacy, { type: "string" }, `Legacy name of ${canonical}, which wins where both are sent.`),
  deprecated: true,
}));
const SORT = query("sort", { enum: Object.keys(SORTS), default: DEFAULT_SORT }, "The order; ties are broken by id.");

/** The API as OpenAPI 3.1, from the same constants that its rules are made of. */
export function openApi(publicApiUrl: string): Schema {
  return {
    openapi: "3.1.0",
    info: { title: "Partner Connect API", version: "1" },
    servers: [{ url: publicApiUrl }],
    security: [{ access_token: [] }, { api_key: [] }],
    paths: {
      "/api/responses": {
        get: {
          operationId: "listResponses",
          summary: "A page of the shop's survey responses; or, as NDJSON or CSV, all of them.",
          parameters: [LIMIT, ...CURSORS, CURSOR_TIME, ...FILTERS, SORT, ...LEGACY],
          responses: {
            200: {
              description: "The page, or everything that matches the filters from starting_after on.",
              content: { ...json("ResponseList"), "application/x-ndjson": {}, "text/csv": {} },
            },
            304: { description: "The page is the one whose entity tag was sent as If-None-Match." },
            ...ERRORS,
          },
        },
      },
      "/api/questions": {
        get: {
          operationId: "listQuestions",
          summary: "A page of the shop's questions, by id.",
          parameters: [LIMIT, ...CURSORS],
          responses: { 200: { description: "The page.", content: json("QuestionList") }, ...ERRORS },
        },
      },
      "/api/sources": {
        post: {
          operationId: "createSource",
          summary: "Creates an attribution source, or updates the one with the same external_id.",
          parameters: [
            {
              name: "Idempotency-Key",
              in: "header",
              schema: { type: "string", minLength: 1, maxLength: 255 },
              description: "A retry with the same key within 24 hours gets the first answer.",
            },
          ],
          requestBody: { required: true, content: json("NewSource") },
          responses: {
            200: { description: "The source was there, and is updated.", content: json("Source") },
            201: { description: "The source was created.", content: json("Source") },
            ...ERRORS,
            413: error("`payload_too_large`."),
            415: error("`unsupported_media_type`: the body must be application/json."),
            422: error("`idempotency_key_reused`: the key was used for another body."),
          },
        },
      },
    },
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        access_token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        api_key: { type: "apiKey", in: "header", name: "Authorization" },
      },
    },
  };
}

/** GET /api/openapi.json, for everybody. */
export function openApiRoute(app: FastifyInstance, { publicApiUrl }: { readonly publicApiUrl: string }): void {
  const document = JSON.stringify(openApi(publicApiUrl));
  app.get("/api/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "public, max-age=300").send(document),
  );
}
