import { SCOPES } from "@partner-connect/contract";
import { BASE_URL } from "@partner-connect/public-api";
import type { OperationSchema } from "@partner-connect/public-api/document";
import Type from "typebox";

const METADATA = {
  resource: `${BASE_URL}/api`,
  authorization_servers: [BASE_URL],
  scopes_supported: SCOPES,
  bearer_methods_supported: ["header"],
  resource_name: "Partner Connect API",
  resource_documentation: `${BASE_URL}/docs`,
};

const ProtectedResourceMetadata = Type.Object(
  {
    resource: Type.String({
      format: "uri",
      description: "The API, by the address at which you asked.",
      examples: [METADATA.resource],
    }),
    authorization_servers: Type.Array(Type.String(), {
      description: "The issuers whose access tokens it takes.",
      examples: [METADATA.authorization_servers],
    }),
    scopes_supported: Type.Array(Type.String(), { description: "Every scope.", examples: [METADATA.scopes_supported] }),
    bearer_methods_supported: Type.Array(Type.String(), {
      description: "Where an access token goes: in the `Authorization` header alone.",
      examples: [METADATA.bearer_methods_supported],
    }),
    resource_name: Type.String({ description: "For people.", examples: [METADATA.resource_name] }),
    resource_documentation: Type.String({
      format: "uri",
      description: "These pages.",
      examples: [METADATA.resource_documentation],
    }),
  },
  { $id: "ProtectedResourceMetadata", description: "What a client may know of the API before it has a credential." },
);

export const METADATA_SCHEMAS = [ProtectedResourceMetadata];

const answer = {
  description: "The metadata.",
  headers: ["x-request-id", "cache-control"],
  content: {
    "application/json": {
      schema: Type.Ref("ProtectedResourceMetadata#"),
      examples: { metadata: { summary: "Of this system", value: METADATA } },
    },
  },
};

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
