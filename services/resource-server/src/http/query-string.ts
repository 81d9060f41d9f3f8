import type { QueryParameters } from "@partner-connect/service-runtime";
import { invalidRequest, malformedRequest } from "../errors/api-error.ts";

const NONE: QueryParameters = new Map();

/** Parses the query of a URL. @throws {ApiError} 400 when something is not percent-encoded UTF-8 text */
export function readQuery(url: string): QueryParameters {
  const start = url.indexOf("?");
  if (start < 0 || start === url.length - 1) return NONE;
  const parameters = new Map<string, string[]>();
  for (const pair of url.slice(start + 1).split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === null) throw malformedRequest("url");
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    if (value === null) throw invalidRequest(name, "The value is not percent-encoded UTF-8 text.", "malformed_url");
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
