import { readFileSync } from "node:fs";

/** The value that a variable's text stands for, or what is wrong with it. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

export interface NumberForm {
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

export function wholeNumber(text: string, { min = 0, max, unit }: NumberForm): Parsed<number> {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= min && number <= (max ?? number)) return { value: number };
  const what = unit ? `a whole number of ${unit}` : "a whole number";
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  return { problem: `is not ${what} ${range}: ${text}` };
}

export function share(text: string): Parsed<number> {
  const number = Number(text);
  return /^(?:0|1|[01]?\.\d{1,9})$/.test(text) && number <= 1
    ? { value: number }
    : { problem: `is not a number from 0 to 1: ${text}` };
}

export function flag(text: string): Parsed<boolean> {
  return text === "true" || text === "false"
    ? { value: text === "true" }
    : { problem: `is neither true nor false: ${text}` };
}

export function memorySize(text: string): Parsed<number> {
  const [, number, unit] = /^([1-9]\d{0,5})(mb|gb)$/i.exec(text) ?? [];
  if (!number || !unit) return { problem: `is not a size such as 256mb or 1gb: ${text}` };
  return { value: Number(number) * (unit.toLowerCase() === "gb" ? 1024 ** 3 : 1024 ** 2) };
}

/** The problem doesn't repeat the text: a URL may hold a password. */
export function absoluteUrl(text: string): Parsed<string> {
  return URL.canParse(text) ? { value: withoutSlash(text) } : { problem: "is not an absolute URL" };
}

export function storeUrl(text: string): Parsed<string> {
  return /^[a-z][a-z0-9+.-]*:\/\/./i.test(text) ? { value: text } : { problem: "is not a URL" };
}

/** A mail server's, with the user and the password that it asks for. */
export function smtpUrl(text: string): Parsed<string> {
  const { protocol, hostname, search = "" } = URL.parse(text) ?? {};
  if (!hostname || !/^smtps?:$/.test(protocol ?? "")) {
    return { problem: "is not a URL such as smtps://user:password@mail.example" };
  }
  return /^(?:\?tls=off)?$/.test(search) ? { value: text } : { problem: "has a parameter other than tls=off" };
}

/** As `URL` writes host names: RFC 6761 §6.3, RFC 5735, RFC 4291 §2.5.3. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

const PLAIN_HTTP = "is http, which sends passwords and tokens unencrypted; it must be https, except on localhost";

export function publicUrl(text: string): Parsed<string> {
  const { protocol, hostname = "" } = URL.parse(text) ?? {};
  if (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))) return { value: withoutSlash(text) };
  return { problem: protocol === "http:" ? PLAIN_HTTP : "is not an https URL" };
}

/** A page that others link to, as it was written: it may have a path, a query and a fragment. */
export function pageUrl(text: string): Parsed<string> {
  const parsed = publicUrl(text);
  if ("problem" in parsed) return { problem: "is not an https URL" };
  const { username, password } = new URL(text);
  return username || password ? { problem: "is a URL with a user name or a password" } : { value: text };
}

/** Where people ask for help: a page, or an address of mail. */
export function supportUrl(text: string): Parsed<string> {
  const isMail = /^mailto:[^\s@<>"'?]+@[^\s@<>"'?]+$/.test(text);
  const parsed: Parsed<string> = isMail ? { value: text } : pageUrl(text);
  return "problem" in parsed ? { problem: "is not an https URL, nor mailto: with an address" } : parsed;
}

export function commaSeparated(text: string): Parsed<readonly string[]> {
  const items = text.split(",").map((item) => item.trim());
  return { value: items.filter((item) => item !== "") };
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

/** The secret X, or of the file X_FILE without the line break at its end. Problems never quote it. Null: neither is set. */
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

export function withPassword(url: string, password: string): Parsed<string> {
  const [start, scheme = "", user = "", own = ""] = USER_AND_PASSWORD.exec(url) ?? [];
  if (start === undefined) return { problem: "is not a URL" };
  if (own !== "") return { problem: "has a password as well" };
  return { value: `${scheme}${user}:${encodeURIComponent(password)}@${url.slice(start.length)}` };
}
