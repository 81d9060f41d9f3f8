import { example, field, orNull, TIMESTAMP, text } from "@partner-connect/contract/openapi";
import Type from "typebox";
import Format from "typebox/format";

const SOURCE_TYPES = ["podcast", "youtube", "influencer", "tv", "newsletter", "event", "other"] as const;

const MAX_NAME = 200;
const MAX_EXTERNAL_ID = 255;
const MAX_URL = 2048;
const MAX_ALIASES = 100;

// Replaces TypeBox's `uri`, which refuses non-ASCII letters.
Format.Set("uri", isHttpUrl);

const length = (maxLength: number) => ({ minLength: 1, maxLength });
const textOf = (max: number): string => `a text of 1 to ${max} characters`;

const NAME = { description: "The source's name, as people know it.", examples: ["Slow Mornings"] };
const EXTERNAL_ID = {
  description: "Your own id for the source, unique within the shop. Sending it again updates that source.",
  examples: ["show-112"],
};
const LOCATION = {
  description: "The source's absolute http or https URL.",
  examples: ["https://slowmornings.example/"],
};
const ALIASES = { description: "Other names that customers may use for it.", examples: [["slow mornings pod"]] };
const Alias = field(Type.String(length(MAX_NAME)), textOf(MAX_NAME), isStorable);

export const EXAMPLE_SOURCE = {
  name: "Slow Mornings",
  type: "podcast",
  external_id: "show-112",
  url: "https://slowmornings.example/",
  aliases: ["slow mornings pod"],
};

/** An attribution source, as sent. A null or absent field is empty. */
export const NewSource = Type.Object(
  {
    name: field(Type.String({ ...length(MAX_NAME), ...NAME }), textOf(MAX_NAME), isStorable),
    type: field(
      Type.Enum(SOURCE_TYPES, { description: "The kind of source.", examples: ["podcast"] }),
      `one of ${SOURCE_TYPES.join(", ")}`,
    ),
    external_id: Type.Optional(
      field(
        orNull<string>("string", { ...length(MAX_EXTERNAL_ID), ...EXTERNAL_ID }),
        textOf(MAX_EXTERNAL_ID),
        isStorable,
      ),
    ),
    url: Type.Optional(
      field(
        orNull<string>("string", { ...length(MAX_URL), format: "uri", ...LOCATION }),
        `an absolute http or https URL of at most ${MAX_URL} characters`,
      ),
    ),
    aliases: Type.Optional(
      field(
        orNull<string[]>("array", { items: Alias, maxItems: MAX_ALIASES, ...ALIASES }),
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
      short: example("With only the required fields", { name: "Kitchen Table Talk", type: "podcast" }),
    },
  },
);

export const Source = Type.Object(
  {
    id: text("Opaque.", "src_018d1f3ae0507a11b2c93c5d7e9f0a1b"),
    name: Type.String(NAME),
    type: text("The kind of source. New values may be added.", "podcast", { "x-extensible-enum": SOURCE_TYPES }),
    external_id: orNull<string>("string", EXTERNAL_ID),
    url: orNull<string>("string", { format: "uri", ...LOCATION }),
    aliases: Type.Array(Type.String(), ALIASES),
    inserted_at: text("When the source was created.", "2024-01-19T00:10:00.000Z", TIMESTAMP),
    updated_at: text("When it last changed.", "2024-01-19T00:10:00.000Z", TIMESTAMP),
  },
  { $id: "Source", description: "An attribution source." },
);

/** Refuses NUL, which Postgres can't store, and unpaired surrogates. Accepts everything that is not text. */
function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

/** An absolute http or https URL without characters that URL parsers drop or rewrite, which could change its target. */
function isHttpUrl(text: string): boolean {
  return isStorable(text) && /^https?:\/\/[^/]/i.test(text) && !REWRITTEN.test(text) && URL.canParse(text);
}

const REWRITTEN = /[\s\p{Cc}\p{Bidi_Control}"<>\\]/u;
