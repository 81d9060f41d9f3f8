import etag from "@fastify/etag";
import { type ApiInformation, type PublicUrls, servedDocument } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=300",
  vary: "accept-encoding",
  // Tools that run in a browser read this document, and nothing else of ours.
  "access-control-allow-origin": "*",
};

interface OpenApiOptions {
  readonly urls: PublicUrls;
  readonly information: ApiInformation;
}

/** GET /api/openapi.json, for everybody: the public endpoints of both servers as OpenAPI 3.1, with these addresses. */
export async function serveOpenApi(app: FastifyInstance, { urls, information }: OpenApiOptions): Promise<void> {
  const document = servedDocument(urls, information);
  // Weak, as it is the same for each content coding.
  await app.register(etag, { weak: true });
  app.get("/api/openapi.json", (_request, reply) => reply.headers(HEADERS).send(document));
}
