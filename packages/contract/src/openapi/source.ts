import Type from "typebox";
import { orNull, TIMESTAMP, text } from "./describe.ts";

export const SOURCE_TYPES = [
  "podcast",
  "youtube",
  "influencer",
  "tv",
  "newsletter",
  "event",
  "other",
] as const;

export const EXAMPLE_SOURCE = {
  name: "Slow Mornings",
  type: "podcast",
  external_id: "show-112",
  url: "https://slowmornings.example/",
  aliases: ["slow mornings pod"],
};

/** {@link EXAMPLE_SOURCE} as it is stored. */
export const STORED_SOURCE = {
  id: "src_018d1f3ae0507a11b2c93c5d7e9f0a1b",
  ...EXAMPLE_SOURCE,
  inserted_at: "2024-01-19T00:10:00.000Z",
  updated_at: "2024-01-19T00:10:00.000Z",
};

export const SOURCE_FIELDS = {
  name: { description: "The source's name, as people know it.", examples: [EXAMPLE_SOURCE.name] },
  external_id: {
    description:
      "Your own id for the source, unique among your own sources of the shop. Sending it again replaces that source, also what you leave out.",
    examples: [EXAMPLE_SOURCE.external_id],
  },
  url: { description: "The source's absolute http or https URL.", examples: [EXAMPLE_SOURCE.url] },
  aliases: {
    description: "Other names that customers may use for it.",
    examples: [EXAMPLE_SOURCE.aliases],
  },
};

export const Source = Type.Object(
  {
    id: text("Opaque.", STORED_SOURCE.id),
    name: Type.String(SOURCE_FIELDS.name),
    type: text("The kind of source. New values may be added.", "podcast", {
      "x-extensible-enum": SOURCE_TYPES,
    }),
    external_id: orNull<string>("string", SOURCE_FIELDS.external_id),
    url: orNull<string>("string", { format: "uri", ...SOURCE_FIELDS.url }),
    aliases: Type.Array(Type.String(), SOURCE_FIELDS.aliases),
    inserted_at: text("When the source was created.", STORED_SOURCE.inserted_at, TIMESTAMP),
    updated_at: text("When it last changed.", STORED_SOURCE.updated_at, TIMESTAMP),
  },
  { $id: "Source", description: "An attribution source." },
);
