import {
  buildDocument,
  OAUTH_OPERATIONS,
  OAUTH_SCHEMAS,
  type Operation,
  type OperationSchema,
} from "@partner-connect/public-api/document";
import Type from "typebox";
import type { RequiredScope } from "../authorization/require-scope.ts";
import { CONNECTION_SCHEMAS, getConnectionSchema } from "../connection/connection.schema.ts";
import { DELETION_SCHEMAS, listDeletionsSchema } from "../deleted-responses/deleted-responses.schema.ts";
import { ERROR_SCHEMAS } from "../errors/error.schema.ts";
import {
  METADATA_SCHEMAS,
  protectedResourceAtRootSchema,
  protectedResourceSchema,
} from "../metadata/protected-resource.schema.ts";
import { METADATA_PATH, RESOURCE_PATH } from "../metadata/protected-resource.ts";
import { listQuestionsSchema, QUESTION_SCHEMAS } from "../questions/questions.schema.ts";
import { listResponsesSchema, RESPONSE_SCHEMAS } from "../responses/responses.schema.ts";
import { createSourceSchema } from "../sources/create-source.schema.ts";
import { SOURCE_SCHEMAS } from "../sources/source.schema.ts";

const DOCUMENT_HEADERS = ["x-request-id", "etag", "cache-control", "access-control-allow-origin"];

const openApiSchema: OperationSchema = {
  operationId: "getOpenApi",
  summary: "This document.",
  response: {
    200: {
      description: "OpenAPI 3.1, with the addresses of this system.",
      headers: DOCUMENT_HEADERS,
      content: { "application/json": { schema: Type.Unsafe({ type: "object" }) } },
    },
    304: {
      description: "The document is the one whose `etag` you sent as `If-None-Match`. No body.",
      headers: DOCUMENT_HEADERS,
    },
  },
};

type Facts = readonly [path: string, tag: Operation["tag"], caller: RequiredScope | "anybody", schema: OperationSchema];

const operation = (method: Operation["method"], ...[path, tag, caller, schema]: Facts): Operation => ({
  method,
  path,
  tag,
  caller: caller === "anybody" ? caller : { credential: caller },
  schema,
});

export const API_OPERATIONS: readonly Operation[] = [
  operation("get", "/api/connection", "Connection", "any", getConnectionSchema),
  operation("get", "/api/responses", "Responses", "responses:read", listResponsesSchema),
  operation("get", "/api/deleted-responses", "Responses", "responses:read", listDeletionsSchema),
  operation("get", "/api/questions", "Questions", "responses:read", listQuestionsSchema),
  operation("post", "/api/sources", "Sources", "sources:write", createSourceSchema),
  operation("get", `${METADATA_PATH}${RESOURCE_PATH}`, "Discovery", "anybody", protectedResourceSchema),
  operation("get", METADATA_PATH, "Discovery", "anybody", protectedResourceAtRootSchema),
  operation("get", "/api/openapi.json", "Discovery", "anybody", openApiSchema),
];

/** Of the document: raised with what partners see in it. */
const VERSION = "1.1";

/** The text of `packages/public-api/openapi.json`: the public endpoints of both servers, by the schemas that validate. */
export function documentText(): string {
  const document = buildDocument({
    version: VERSION,
    operations: [...OAUTH_OPERATIONS, ...API_OPERATIONS],
    schemas: [
      ...[OAUTH_SCHEMAS, CONNECTION_SCHEMAS, RESPONSE_SCHEMAS, DELETION_SCHEMAS, QUESTION_SCHEMAS],
      ...[SOURCE_SCHEMAS, METADATA_SCHEMAS, ERROR_SCHEMAS],
    ].flat(),
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}
