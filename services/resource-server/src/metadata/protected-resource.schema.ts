import { SCOPES } from "@partner-connect/contract";
import { BASE_URL } from "@partner-connect/public-api";
import { example, jsonAnswer, type OperationSchema, text } from "@partner-connect/public-api/document";
import Type from "typebox";

const METADATA = {
  resource: `${BASE_URL}/api`,
  authorization_servers: [BASE_URL],
  scopes_supported: SCOPES,
  bearer_methods_supported: ["header"],
  resource_name: "Partner Connect API",
  resource_documentation: `${BASE_URL}/docs`,
};

const list = (description: string, value: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [value] });

const ProtectedResourceMetadata = Type.Object(
  {
    resource: text("The API, by the address at which you asked.", METADATA.resource, { format: "uri" }),
    authorization_servers: list("The issuers whose access tokens it takes.", METADATA.authorization_servers),
    scopes_supported: list("Every scope.", METADATA.scopes_supported),
    bearer_methods_supported: list(
      "Where an access token goes: in the `Authorization` header alone.",
      METADATA.bearer_methods_supported,
    ),
    resource_name: text("For people.", METADATA.resource_name),
    resource_documentation: text("These pages.", METADATA.resource_documentation, { format: "uri" }),
  },
  { $id: "ProtectedResourceMetadata", description: "What a client may know of the API before it has a credential." },
);

export const METADATA_SCHEMAS = [ProtectedResourceMetadata];

const answer = jsonAnswer("ProtectedResourceMetadata", "The metadata.", ["x-request-id", "cache-control"], {
  metadata: example("Of this system", METADATA),
});

export const protectedResourceSchema = {
  operationId: "getProtectedResourceMetadata",
  summary: "Metadata of the API (RFC 9728).",
  description: "Each `www-authenticate` of the API names it.",
  response: { 200: answer },
} satisfies OperationSchema;

export const protectedResourceAtRootSchema = {
  operationId: "getProtectedResourceMetadataAtRoot",
  summary: "The same metadata, for clients that leave out the resource's path.",
  response: { 200: answer },
} satisfies OperationSchema;
