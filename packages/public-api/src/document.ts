import type { TSchema } from "typebox";
import type { Operation } from "./document/operation.ts";
import { OAUTH_ERROR_SCHEMAS } from "./oauth/answers.ts";
import { AUTHORIZE_OPERATION } from "./oauth/authorize.operation.ts";
import { BATCH_OPERATION, BATCH_SCHEMAS } from "./oauth/batch.operation.ts";
import { CHANGES_OPERATION, CHANGES_SCHEMAS } from "./oauth/changes.operation.ts";
import { CONNECTIONS_OPERATION, CONNECTIONS_SCHEMAS } from "./oauth/connections.operation.ts";
import { DISCOVERY_OPERATIONS, DISCOVERY_SCHEMAS } from "./oauth/discovery.operations.ts";
import { REVOCATION_SCHEMAS, REVOKE_OPERATION } from "./oauth/revoke.operation.ts";
import { TOKEN_OPERATION } from "./oauth/token.operation.ts";
import { TOKEN_SCHEMAS } from "./oauth/token.schema.ts";

export { buildDocument } from "./document/build-document.ts";
export { COUNTED, constant, example, jsonAnswer, orNull, TIMESTAMP, text, textOrNull } from "./document/described.ts";
export { listSchema, pageParameters } from "./document/list.schema.ts";
export type { Answer, Examples, Operation, OperationSchema } from "./document/operation.ts";

export const OAUTH_OPERATIONS: readonly Operation[] = [
  AUTHORIZE_OPERATION,
  TOKEN_OPERATION,
  CONNECTIONS_OPERATION,
  CHANGES_OPERATION,
  BATCH_OPERATION,
  REVOKE_OPERATION,
  ...DISCOVERY_OPERATIONS,
];

export const OAUTH_SCHEMAS: readonly TSchema[] = [
  ...TOKEN_SCHEMAS,
  ...CONNECTIONS_SCHEMAS,
  ...CHANGES_SCHEMAS,
  ...BATCH_SCHEMAS,
  ...REVOCATION_SCHEMAS,
  ...OAUTH_ERROR_SCHEMAS,
  ...DISCOVERY_SCHEMAS,
];
