import { pageParameters, text } from "@partner-connect/public-api/document";
import Type, { type TOptional, type TSchema } from "typebox";
import { timeFilters, timeParameter } from "../../pagination/page.schema.ts";
import { LEGACY_NAMES } from "./legacy-names.ts";
import { DEFAULT_SORT, SORTS } from "./sort.ts";

const AN_ID = "res_018d1e37a8e07a11b2c93c5d7e9f0a1b";
const A_TIME = "2024-01-18T19:27:05.104Z";

const LEGACY: Record<string, TOptional<TSchema>> = Object.fromEntries(
  [...LEGACY_NAMES].map(([legacy, canonical]) => {
    const description = `The older name of \`${canonical}\`, which counts where both are sent.`;
    const example = canonical.startsWith("inserted_at") ? A_TIME : AN_ID;
    return [legacy, Type.Optional(text(description, example, { deprecated: true }))];
  }),
);

/** What `list-parameters.ts` reads. */
export const LIST_PARAMETERS = {
  ...pageParameters(AN_ID),
  cursor_time: timeParameter(
    "Beside a cursor: the time of its record by which the list is sorted, `inserted_at` or `updated_at`, as it was shown to you. The page then goes on " +
      "exactly from there, however the record has changed since; without it records may repeat or be missed.",
    A_TIME,
  ),
  ...timeFilters("inserted_at", A_TIME),
  ...timeFilters("updated_at", A_TIME),
  sort: Type.Optional(
    Type.Enum(Object.keys(SORTS), {
      default: DEFAULT_SORT,
      description: "The order, newest or oldest first by insertion or last change; ties are broken by id.",
      examples: ["updated_at_asc"],
    }),
  ),
  ...LEGACY,
};
