import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { malformedRequest } from "../errors/api-error.ts";

/**
 * A body is JSON in UTF-8 (RFC 8259 §8.1). Another content type is 415. Bytes that are not UTF-8 are 400: Node would replace
 * them by U+FFFD, and what is stored would not be what was sent.
 */
export function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (!isUtf8(body)) return done(malformedRequest("body"));
    return parse(request, body.toString("utf8"), done);
  });
}
