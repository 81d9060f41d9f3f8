import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { malformedRequest } from "../errors/api-error.ts";

/**
 * Bodies are JSON in UTF-8 (RFC 8259 §8.1). Anything else is 415, plain text too; bytes that are not UTF-8 are 400, where
 * Node would put U+FFFD in their place and what is stored would not be what was sent.
 */
export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (!isUtf8(body)) return done(malformedRequest("body"));
    return parse(request, body.toString("utf8"), done);
  });
}
