import { invalidRequest } from "../errors/api-error.ts";

export const SOURCE_TYPES = ["podcast", "youtube", "influencer", "tv", "newsletter", "event", "other"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const MAX_NAME = 200;
export const MAX_EXTERNAL_ID = 255;
export const MAX_URL = 2048;
export const MAX_ALIASES = 100;

/** What a caller says of an attribution source. */
export interface NewSource {
  readonly name: string;
  readonly type: SourceType;
  /** The caller's own id of it; at most one source of a shop has it. */
  readonly externalId: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
}

/**
 * The source that a request's body describes. Unknown fields are ignored.
 * @throws {ApiError} 400 naming the field that breaks a rule
 */
export function readSource(body: unknown): NewSource {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalidRequest("body", "The body must be a JSON object.");
  }
  const fields = body as Readonly<Record<string, unknown>>;
  const field = (name: string): unknown => (Object.hasOwn(fields, name) ? (fields[name] ?? null) : null);
  return {
    name: readText(field("name"), "name", MAX_NAME),
    type: readType(field("type")),
    externalId: field("external_id") === null ? null : readText(field("external_id"), "external_id", MAX_EXTERNAL_ID),
    url: field("url") === null ? null : readUrl(field("url")),
    aliases: field("aliases") === null ? [] : readAliases(field("aliases")),
  };
}

function readText(value: unknown, name: string, max: number): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "" || text.length > max || !isStorable(text)) {
    throw invalidRequest(name, `${name} must be a text of 1 to ${max} characters.`);
  }
  return text;
}

function readType(value: unknown): SourceType {
  const type = SOURCE_TYPES.find((known) => known === value);
  if (!type) throw invalidRequest("type", `type must be one of ${SOURCE_TYPES.join(", ")}.`);
  return type;
}

function readUrl(value: unknown): string {
  const url = typeof value === "string" && value.length <= MAX_URL && isStorable(value) ? URL.parse(value) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalidRequest("url", `url must be an absolute http or https URL of at most ${MAX_URL} characters.`);
  }
  return value as string;
}

function readAliases(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > MAX_ALIASES) {
    throw invalidRequest("aliases", `aliases must be an array of at most ${MAX_ALIASES} texts.`);
  }
  return [...new Set(value.map((alias) => readText(alias, "aliases", MAX_NAME)))];
}

/** Postgres stores no NUL, and half of a surrogate pair is no text. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
