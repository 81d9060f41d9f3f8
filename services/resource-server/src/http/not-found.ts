import type { FastifyInstance } from "fastify";
import { methodNotAllowed, notFound } from "../errors/api-error.ts";

/** 405 with `allow` where the path has a route for other methods; 404 everywhere else. Paths are compared as they are. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, string[]>();
  app.addHook("onRoute", ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), ...[method].flat()]);
  });
  app.setNotFoundHandler((request) => {
    const [path = ""] = request.url.split("?", 1);
    const allowed = methods.get(path);
    throw allowed ? methodNotAllowed(allowed.join(", ")) : notFound();
  });
}
