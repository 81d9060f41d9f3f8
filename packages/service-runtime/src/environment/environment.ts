import { readFileSync } from "node:fs";
import type { Parsed, Settings, Values } from "./variable-forms.ts";

export * from "./variable-forms.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** A missing or malformed variable. `runService` recognizes it by `code`, and prints no stack. */
class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code = "CONFIGURATION";
}

/**
 * Reads the variables. An empty variable counts as unset; X_PASSWORD is inserted into X_URL.
 * `needs` names the variables that a set one requires.
 * @throws {ConfigurationError} naming all that are missing or malformed, without secrets
 */
export function readEnvironment<S extends Settings>(
  settings: S,
  variables: Variables,
  needs: Readonly<Record<string, readonly string[]>> = {},
): Values<S> {
  const problems = new Map<string, string>();
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const given = setting.secret ? readSecret(name, variables) : { value: variables[name] };
    const text = "value" in given ? given.value || setting.default : undefined;
    if ("problem" in given) problems.set(name, given.problem);
    else if (text !== undefined) {
      const parsed = setting.form(text);
      if ("value" in parsed) values[name] = parsed.value;
      else problems.set(name, `${name} ${parsed.problem}`);
    } else if (!setting.optional) problems.set(name, `${name} is not set`);
  }
  for (const [name, needed] of Object.entries(needs).filter(([name]) => name in values)) {
    for (const missing of needed.filter((each) => !(each in values) && !problems.has(each)))
      problems.set(missing, `${missing} is not set, but ${name} is`);
  }
  addPasswords(values, problems);
  if (problems.size > 0) throw new ConfigurationError([...problems.values()].join("; "));
  return values as Values<S>;
}

/**
 * Returns the secret X, or the content of the file X_FILE without its final line break. Problems
 * never quote it.
 */
function readSecret(name: string, variables: Variables): Parsed<string | undefined> {
  const [text, file] = [variables[name], variables[`${name}_FILE`]];
  if (!file) return { value: text };
  if (text) return { problem: `${name} and ${name}_FILE are both set` };
  try {
    const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    if (content === "") return { problem: `${name}_FILE is an empty file` };
    if (/[\r\n\0]/.test(content))
      return { problem: `${name}_FILE is a file of more than one line` };
    return { value: content };
  } catch (error) {
    return { problem: `${name}_FILE can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
}

const USER_AND_PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?/i;

function addPasswords(values: Record<string, unknown>, problems: Map<string, string>): void {
  for (const name of Object.keys(values).filter((name) => name.endsWith("_PASSWORD"))) {
    const urlName = name.replace(/PASSWORD$/, "URL");
    const url = values[urlName];
    if (typeof url !== "string") continue;
    const [start, scheme = "", user = "", own = ""] = USER_AND_PASSWORD.exec(url) ?? [];
    if (start === undefined || own) {
      const problem = start === undefined ? "is not a URL" : "has a password as well";
      problems.set(name, `${name} is set, and ${urlName} ${problem}`);
    } else
      values[urlName] =
        `${scheme}${user}:${encodeURIComponent(String(values[name]))}@${url.slice(start.length)}`;
  }
}

/** The environment for the log, with masked passwords. */
export function summarizeEnvironment(settings: Settings, variables: Variables) {
  const isSet = (name: string) =>
    Boolean(variables[name] || (settings[name]?.secret && variables[`${name}_FILE`]));
  const shown = (name: string) => {
    if (!variables[name]) return [`${name}_FILE`, variables[`${name}_FILE`]];
    return [
      name,
      settings[name]?.secret && !name.endsWith("_URL") ? MASK : maskPassword(variables[name]),
    ];
  };
  const names = Object.keys(settings);
  const defaults = names.filter((name) => !isSet(name) && settings[name]?.default !== undefined);
  return {
    set: Object.fromEntries(names.filter(isSet).map(shown)) as Record<string, string>,
    defaults: Object.fromEntries(defaults.map((name) => [name, String(settings[name]?.default)])),
  };
}

const MASK = "***";

/** Masks a URL's password, even if it isn't encoded, and passwords in its parameters. */
function maskPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:]*):.*@/is, `$1:${MASK}@`)
    .replace(/([?&]\w*password=)[^&#]*/gi, `$1${MASK}`);
}
