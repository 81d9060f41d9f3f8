import { SCOPES } from "@partner-connect/contract";
import { BASE_URL, example, jsonAnswer, text } from "@partner-connect/contract/openapi";
import type { FastifyInstance } from "fastify";
import Type from "typebox";

/** RFC 9728 §3.1: inserted before the resource's path, `/api`. */
const METADATA_PATH = "/.well-known/oauth-protected-resource";
const RESOURCE_PATH = "/api";

/** Returns the public URL of the API that a client called. */
export type CalledUrl = (host: string) => string;

/**
 * The API has two addresses. Clients compare the one they called with the metadata (RFC 9728 §3.3),
 * so the request's host, as the client sent it, selects the address.
 * @param publicUrls without a trailing slash; the first is the default for unknown hosts
 */
export function calledUrl(publicUrls: readonly [string, ...string[]]): CalledUrl {
  const byHost = new Map(publicUrls.map((url) => [new URL(url).host, url]));
  return (host) => byHost.get(host.toLowerCase()) ?? publicUrls[0];
}

export const metadataUrl = (publicUrl: string): string =>
  `${publicUrl}${METADATA_PATH}${RESOURCE_PATH}`;

const metadata = (publicUrl: string, issuer: string, productName: string) => ({
  resource: `${publicUrl}${RESOURCE_PATH}`,
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ["header"],
  resource_name: `${productName} API`,
  resource_documentation: `${issuer}/docs`,
});

const EXAMPLE = metadata(BASE_URL, BASE_URL, "Partner Connect");

const list = (description: string, value: readonly string[]) =>
  Type.Array(Type.String(), { description, examples: [value] });

const ProtectedResourceMetadata = Type.Object(
  {
    resource: text("The URL of the API, with the host of this request.", EXAMPLE.resource, {
      format: "uri",
    }),
    authorization_servers: list(
      "The issuers whose access tokens it accepts.",
      EXAMPLE.authorization_servers,
    ),
    scopes_supported: list("All scopes.", EXAMPLE.scopes_supported),
    bearer_methods_supported: list(
      "How to send an access token: only in the `Authorization` header.",
      EXAMPLE.bearer_methods_supported,
    ),
    resource_name: text("For people.", EXAMPLE.resource_name),
    resource_documentation: text("The documentation.", EXAMPLE.resource_documentation, {
      format: "uri",
    }),
  },
  {
    $id: "ProtectedResourceMetadata",
    description: "What a client can learn about the API without a credential.",
  },
);

const METADATA_ANSWER = jsonAnswer(
  ProtectedResourceMetadata,
  "The metadata.",
  ["x-request-id", "cache-control"],
  { metadata: example("Of this system", EXAMPLE) },
);

const OPERATIONS = [
  {
    path: `${METADATA_PATH}${RESOURCE_PATH}`,
    operationId: "getProtectedResourceMetadata",
    summary: "Metadata of the API (RFC 9728).",
    description: "Each `www-authenticate` header of the API links to it.",
  },
  {
    path: METADATA_PATH,
    operationId: "getProtectedResourceMetadataAtRoot",
    summary: "The same metadata, at the root.",
    description: "For clients that leave out the resource's path (RFC 9728 §3.1).",
  },
];

interface ProtectedResourceOptions {
  readonly called: CalledUrl;
  readonly issuer: string;
  readonly productName: string;
}

/** Protected resource metadata (RFC 9728): the API's authorization server. */
export function protectedResourceRoute(app: FastifyInstance, options: ProtectedResourceOptions) {
  const { called, issuer, productName } = options;
  for (const { path, ...described } of OPERATIONS) {
    const schema = { ...described, tags: ["Discovery"], response: { 200: METADATA_ANSWER } };
    app.get(path, { schema }, async (request, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .header("cache-control", "public, max-age=300")
        .send(metadata(called(request.host), issuer, productName)),
    );
  }
}
