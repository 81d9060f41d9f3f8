import etag from "@fastify/etag";
import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import {
  answer,
  type PublicUrls,
  servedDocument,
  swaggerOptions,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import Type from "typebox";

/**
 * Collects the schemas of routes that are added afterwards, for `pnpm openapi`. A route's scope
 * determines its security scheme.
 */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  const securityOf = ({ scope }: FastifyContextConfig) =>
    scope === undefined ? [] : [{ oauth2: scope === "any" ? [] : [scope] }, { api_key: [] }];
  await app.register(swagger, swaggerOptions(securityOf) as FastifyDynamicSwaggerOptions);
}

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=300",
  vary: "accept-encoding",
  "access-control-allow-origin": "*",
};

const DESCRIBED_HEADERS = [
  "x-request-id",
  "etag",
  "cache-control",
  "access-control-allow-origin",
] as const;

const schema = {
  operationId: "getOpenApi",
  tags: ["Discovery"],
  summary: "This document.",
  description:
    "Generate a client from it, or import it into a tool that reads OpenAPI 3.1. No credential is required.",
  response: {
    200: answer("OpenAPI 3.1, with the URLs of this system.", DESCRIBED_HEADERS, {
      "application/json": { schema: Type.Unsafe({ type: "object" }) },
    }),
    304: answer(
      "The document still has the `etag` that you sent as `If-None-Match`. No body.",
      DESCRIBED_HEADERS,
    ),
  },
};

/**
 * GET /api/openapi.json: the public endpoints of both servers as OpenAPI 3.1, with this
 * installation's addresses.
 */
export async function serveOpenApi(app: FastifyInstance, urls: PublicUrls): Promise<void> {
  const document = servedDocument(urls);
  // Weak, because the document has the same tag in all content codings.
  await app.register(etag, { weak: true });
  app.get("/api/openapi.json", { schema }, (_request, reply) =>
    reply.headers(HEADERS).send(document),
  );
}
