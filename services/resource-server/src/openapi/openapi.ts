import { hash } from "node:crypto";
import { type ApiInformation, type PublicUrls, servedDocument } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";

const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "public, max-age=300",
  // Tools that run in a browser read this document, and nothing else of ours.
  "access-control-allow-origin": "*",
};

/** GET /api/openapi.json, for everybody: the public endpoints of both servers as OpenAPI 3.1, with these addresses. */
export function serveOpenApi(app: FastifyInstance, urls: PublicUrls, information: ApiInformation): void {
  const document = servedDocument(urls, information);
  const etag = `"${hash("sha256", document, "base64url").slice(0, 22)}"`;
  app.get("/api/openapi.json", async (request, reply) => {
    reply.headers({ ...HEADERS, etag });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    return reply.send(document);
  });
}
