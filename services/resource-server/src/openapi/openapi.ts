import { type PublicUrls, servedDocument } from "@partner-connect/public-api";
import type { FastifyInstance } from "fastify";

/** GET /api/openapi.json, for everybody: the public endpoints of both servers as OpenAPI 3.1, with these addresses. */
export function serveOpenApi(app: FastifyInstance, urls: PublicUrls): void {
  const document = servedDocument(urls);
  app.get("/api/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").header("cache-control", "public, max-age=300").send(document),
  );
}
