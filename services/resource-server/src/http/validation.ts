import { isUtf8 } from "node:buffer";
import { type QueryParameters, validateRequests } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { type ApiError, invalidRequest, malformedBody } from "../errors/api-error.ts";

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

const NONE: QueryParameters = new Map();

/** Replaces values that are not percent-encoded UTF-8; no parameter accepts it. */
const UNREADABLE = "\0";

/** Parses a URL's query. Omits names that are not percent-encoded UTF-8, because no parameter has such a name. */
export function readQuery(url: string): QueryParameters {
  const start = url.indexOf("?");
  if (start < 0 || start === url.length - 1) return NONE;
  const parameters = new Map<string, string[]>();
  for (const pair of url.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === null) continue;
    const value = equals < 0 ? "" : (decode(pair.slice(equals + 1)) ?? UNREADABLE);
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
