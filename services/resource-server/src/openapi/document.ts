import { buildDocument, OAUTH_OPERATIONS, OAUTH_SCHEMAS } from "@partner-connect/public-api/document";
import { API_OPERATIONS, API_SCHEMAS } from "./operations.ts";

/** Of the document: raised with what partners see in it. */
const VERSION = "1.1";

/** The text of `packages/public-api/openapi.json`: the public endpoints of both services, by the schemas that validate. */
export function documentText(): string {
  const document = buildDocument({
    version: VERSION,
    operations: [...OAUTH_OPERATIONS, ...API_OPERATIONS],
    schemas: [...OAUTH_SCHEMAS, ...API_SCHEMAS],
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}
