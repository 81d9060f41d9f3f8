import Type, { type TOptional, type TSchema } from "typebox";
import { pageParameters } from "../../pagination/page.schema.ts";
import { LEGACY_NAMES } from "./legacy-names.ts";
import { DEFAULT_SORT, SORTS } from "./sort.ts";

const AN_ID = "res_018d1e37a8e07a11b2c93c5d7e9f0a1b";
const A_TIME = "2024-01-18T19:27:05.104Z";

const time = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: [A_TIME] }));

const FILTERS = Object.fromEntries(
  ["inserted_at", "updated_at"].flatMap((column) => [
    [
      `${column}_min`,
      time(`Only records whose \`${column}\` is at or after this time: RFC 3339, with \`Z\` or any offset.`),
    ],
    [
      `${column}_max`,
      time(`Only records whose \`${column}\` is at or before this time: RFC 3339, with \`Z\` or any offset.`),
    ],
  ]),
);

const LEGACY: Record<string, TOptional<TSchema>> = Object.fromEntries(
  [...LEGACY_NAMES].map(([legacy, canonical]) => {
    const description = `The older name of \`${canonical}\`, which counts where both are sent.`;
    const isTime = canonical.startsWith("inserted_at");
    return [legacy, Type.Optional(Type.String({ description, deprecated: true, examples: [isTime ? A_TIME : AN_ID] }))];
  }),
);

export const LIST_PARAMETERS = {
  ...pageParameters(AN_ID),
  cursor_time: time(
    "Beside a cursor: the time of its record by which the list is sorted, `inserted_at` or `updated_at`, as it was shown to you. The page then goes on " +
      "exactly from there, however the record has changed since; without it records may repeat or be missed.",
  ),
  ...FILTERS,
  sort: Type.Optional(
    Type.Enum(Object.keys(SORTS), {
      default: DEFAULT_SORT,
      description: "The order, newest or oldest first by insertion or last change; ties are broken by id.",
      examples: ["updated_at_asc"],
    }),
  ),
  ...LEGACY,
};
