import type { QueryParameters } from "@partner-connect/service-runtime";

const NONE: QueryParameters = new Map();

/** What no parameter may have stands for a value that is not percent-encoded UTF-8 text. */
const UNREADABLE = "\0";

/** Parses the query of a URL. A name that is not percent-encoded UTF-8 text is left out: no parameter has it. */
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
