import {
  EXAMPLE_SOURCE,
  example,
  field,
  orNull,
  SOURCE_FIELDS,
  SOURCE_TYPES,
} from "@partner-connect/contract/openapi";
import type { SourceFields } from "@partner-connect/survey-data";
import Type, { type Static } from "typebox";
import Format from "typebox/format";

const MAX_NAME = 200;
const MAX_EXTERNAL_ID = 255;
const MAX_URL = 1024;
const MAX_ALIASES = 20;
const MAX_ALIAS = 100;

// Replaces TypeBox's `uri`, which refuses non-ASCII letters.
Format.Set("uri", isHttpUrl);

const length = (maxLength: number) => ({ minLength: 1, maxLength });
const textOf = (max: number): string => `a text of 1 to ${max} characters`;

const Alias = field(Type.String(length(MAX_ALIAS)), textOf(MAX_ALIAS), isStorable);

/** An attribution source as it was sent. If a field is null or absent, it is stored empty. */
export const NewSource = Type.Object(
  {
    name: field(
      Type.String({ ...length(MAX_NAME), ...SOURCE_FIELDS.name }),
      textOf(MAX_NAME),
      isStorable,
    ),
    type: field(
      Type.Enum(SOURCE_TYPES, { description: "The kind of source.", examples: ["podcast"] }),
      `one of ${SOURCE_TYPES.join(", ")}`,
    ),
    external_id: Type.Optional(
      field(
        orNull<string>("string", { ...length(MAX_EXTERNAL_ID), ...SOURCE_FIELDS.external_id }),
        textOf(MAX_EXTERNAL_ID),
        isStorable,
      ),
    ),
    url: Type.Optional(
      field(
        orNull<string>("string", { ...length(MAX_URL), format: "uri", ...SOURCE_FIELDS.url }),
        `an absolute http or https URL of at most ${MAX_URL} characters`,
      ),
    ),
    aliases: Type.Optional(
      field(
        orNull<string[]>("array", {
          items: Alias,
          maxItems: MAX_ALIASES,
          ...SOURCE_FIELDS.aliases,
        }),
        `an array of at most ${MAX_ALIASES} texts`,
      ),
    ),
  },
  {
    $id: "NewSource",
    description:
      "An attribution source as you describe it. Texts are trimmed; unknown fields are ignored, and named in `x-ignored-parameters`.",
    "x-examples": {
      full: example("With all fields", EXAMPLE_SOURCE),
      short: example("With only the required fields", {
        name: "Kitchen Table Talk",
        type: "podcast",
      }),
    },
  },
);

/**
 * Refuses texts with NUL, which Postgres can't store, or unpaired surrogates. Accepts any other
 * value.
 */
function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

/**
 * An absolute http or https URL without characters that URL parsers drop or rewrite, which could
 * change its target.
 */
function isHttpUrl(text: string): boolean {
  return (
    isStorable(text) &&
    /^https?:\/\/[^/]/i.test(text) &&
    !REWRITTEN.test(text) &&
    URL.canParse(text)
  );
}

const REWRITTEN = /[\s\p{Cc}\p{Bidi_Control}"<>\\]/u;

type Body = Static<typeof NewSource>;

/** Trims the texts of the body. The schema is checked afterwards, so the body may be any value. */
export function withTrimmedTexts(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { name, external_id, aliases, ...rest } = body as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(name !== undefined && { name: trimIfText(name) }),
    ...(external_id !== undefined && { external_id: trimIfText(external_id) }),
    ...(aliases !== undefined && {
      aliases: Array.isArray(aliases) ? aliases.map(trimIfText) : aliases,
    }),
  };
}

/** Drops unknown fields and duplicate aliases. */
export function newSource({ name, type, external_id, url, aliases }: Body): SourceFields {
  return {
    name,
    type,
    externalId: external_id ?? null,
    url: url ?? null,
    aliases: [...new Set(aliases)],
  };
}

function trimIfText(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}
