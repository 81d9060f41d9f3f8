import { isUtf8 } from "node:buffer";
import { validateRequests } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { type ApiError, invalidRequest, malformedBody } from "../errors/api-error.ts";
import { readQuery } from "./query-string.ts";

export function validate(app: FastifyInstance): void {
  takeJson(app);
  validateRequests(app, { parse: readQuery, refuse });
  app.setSerializerCompiler(() => JSON.stringify); // response schemas are only documentation
}

export const refuse = (name: string, problem: string): ApiError =>
  invalidRequest(name, name === "body" ? `The body ${problem}.` : `${name} ${problem}.`);

/** Accepts JSON in UTF-8 (RFC 8259 §8.1), else 415; other bytes get 400, because Node would replace them by U+FFFD. */
function takeJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (!isUtf8(body)) return done(malformedBody());
    return parse(request, body.toString("utf8"), done);
  });
}
