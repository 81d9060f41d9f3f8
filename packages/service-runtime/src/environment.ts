/** The environment does not say what the process needs; the message lists every variable that is wrong. */
export class ConfigurationError extends Error {
  readonly code = "CONFIGURATION";
}

/** Typed reads of environment variables. A wrong one is remembered and told by `check`, all of them together. */
export interface Environment {
  string(name: string, fallback?: string): string;
  /** A whole number from `min` (default 0). */
  integer(name: string, options?: { readonly fallback?: number; readonly min?: number }): number;
  /** An absolute URL, without a slash at its end. */
  url(name: string, fallback?: string): string;
  /** Where others reach us, without a slash at its end: https, or http on this machine alone. */
  publicUrl(name: string, fallback?: string): string;
  /** Comma-separated values. */
  list(name: string, fallback?: readonly string[]): string[];
  /** @throws {ConfigurationError} naming every variable that is missing or malformed */
  check(): void;
}

/** As `URL` writes host names: RFC 6761 §6.3, RFC 5735, RFC 4291 §2.5.3. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

const PLAIN_HTTP =
  "is http, by which passwords and tokens could be read on their way; it must be https, except on localhost";

export function environment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const problems: string[] = [];

  function read<T>(name: string, fallback: T | undefined, empty: T, parse: (value: string) => T | string[]): T {
    const value = variables[name];
    if (value === undefined || value === "") {
      if (fallback === undefined) problems.push(`${name} is not set`);
      return fallback ?? empty;
    }
    const parsed = parse(value);
    if (!Array.isArray(parsed) || typeof empty === "object") return parsed as T;
    problems.push(`${name} ${parsed[0]}`);
    return empty;
  }

  return {
    string: (name, fallback) => read(name, fallback, "", (value) => value),
    integer: (name, { fallback, min = 0 } = {}) =>
      read(name, fallback, 0, (value) =>
        /^\d{1,15}$/.test(value) && Number(value) >= min ? Number(value) : [`is not a whole number from ${min}`],
      ),
    url: (name, fallback) =>
      read(name, fallback, "", (value) =>
        URL.canParse(value) ? value.replace(/\/$/, "") : ["is not an absolute URL"],
      ),
    publicUrl: (name, fallback) =>
      read(name, fallback, "", (value) => {
        const { protocol, hostname } = URL.parse(value) ?? {};
        if (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname ?? ""))) {
          return value.replace(/\/$/, "");
        }
        return [protocol === "http:" ? PLAIN_HTTP : "is not an https URL"];
      }),
    list: (name, fallback) =>
      read<string[]>(name, fallback && [...fallback], [], (value) =>
        value
          .split(",")
          .map((item) => item.trim())
          .filter((item) => item !== ""),
      ),
    check() {
      if (problems.length > 0) throw new ConfigurationError(problems.join("; "));
    },
  };
}
