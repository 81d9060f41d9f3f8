import { readFileSync } from "node:fs";
import type { Parsed } from "./variable-forms.ts";

/**
 * The secret X, from the variable X or from the file that X_FILE names, as Docker and Kubernetes mount secrets. One line break at the
 * file's end is an editor's, and is cut. No problem repeats what is in the variable or the file. Null: neither is set.
 */
export function readSecret(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
): Parsed<string> | null {
  const [text, file] = [variables[name], variables[`${name}_FILE`]];
  if (!file) return text ? { value: text } : null;
  if (text) return { problem: `${name} and ${name}_FILE are both set` };
  return readSecretFile(`${name}_FILE`, file);
}

function readSecretFile(name: string, path: string): Parsed<string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    return { problem: `${name} can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
  if (text === "") return { problem: `${name} is an empty file` };
  return /[\r\n\0]/.test(text) ? { problem: `${name} is a file of more than one line` } : { value: text };
}

const USER_AND_PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?/i;

/** The URL with this password, if it has none of its own. */
export function withPassword(url: string, password: string): Parsed<string> {
  const [start, scheme = "", user = "", own = ""] = USER_AND_PASSWORD.exec(url) ?? [];
  if (start === undefined) return { problem: "is not a URL" };
  if (own !== "") return { problem: "has a password as well" };
  return { value: `${scheme}${user}:${encodeURIComponent(password)}@${url.slice(start.length)}` };
}
