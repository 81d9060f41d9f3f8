import { BASE_URL } from "@partner-connect/public-api";
import { example, listSchema, type OperationSchema, pageParameters, text } from "@partner-connect/public-api/document";
import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import Type, { type TOptional, type TSchema } from "typebox";
import { ERROR_ANSWERS, invalid, invalidAnswer } from "../errors/error.schema.ts";
import { recordSchema, Timestamp } from "../openapi/record.schema.ts";
import { pageAnswers, timeFilters, timeParameter } from "../pagination/page.schema.ts";
import { DEFAULT_SORT, LEGACY_NAMES, SORTS } from "./list-parameters.ts";
import { EXAMPLE_RESPONSES, RESPONSE_DESCRIPTIONS } from "./response-fields.ts";

const Response = recordSchema(
  "Response",
  "What one customer answered to one question, with what the shop knows of the order and the visit. Every field is there; most may be null.",
  {
    fields: RESPONSE_FIELDS,
    described: RESPONSE_DESCRIPTIONS,
    neverNull: {
      id: Type.String({ minLength: 1, maxLength: 64 }),
      inserted_at: Timestamp,
      updated_at: Timestamp,
    },
  },
);

export const RESPONSE_SCHEMAS = [
  Response,
  listSchema("Response", "/api/responses", EXAMPLE_RESPONSES[0]["id"] as string),
];

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
const LIST_PARAMETERS = {
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

const [first, second] = EXAMPLE_RESPONSES;
const LINK = `${BASE_URL}/api/responses?limit=1&sort=updated_at_asc`;

/** `list-parameters.ts` reads the parameters: each may be given once, and a canonical name counts before a legacy one. */
export const listResponsesSchema = {
  operationId: "listResponses",
  summary: "A page of the shop's responses.",
  description:
    "Follow `next` until it is null: it keeps your filters, sort and limit. To copy a shop, ask for `limit=1000` with `sort=updated_at_asc`.\n\n" +
    "To stay in sync, read with `sort=updated_at_asc` and keep the last record's `id` and `updated_at`; later pass them as `starting_after` and `cursor_time`. " +
    "When a record comes that you have already, it replaces yours.\n\n" +
    "Each parameter may be given once; unknown ones are ignored, and named in `x-ignored-parameters`. Where an older name and its current one are both sent, the current one counts.",
  querystring: Type.Object(LIST_PARAMETERS),
  response: {
    ...pageAnswers("Response", {
      first_page: example("`?limit=1&sort=updated_at_asc`: a follow-up that was answered by an option", {
        data: [first],
        prev: null,
        next: `${LINK}&starting_after=${first["id"]}&cursor_time=${cursorTime(first)}`,
      }),
      last_page: example("The page that `next` names: own words, which the merchant has put into a category since", {
        data: [second],
        prev: `${LINK}&ending_before=${second["id"]}&cursor_time=${cursorTime(second)}`,
        next: null,
      }),
    }),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      limit: invalid("limit", "limit must be an integer from 1 to 1000.", "`?limit=0`"),
      cursors: invalid(
        "ending_before",
        "starting_after and ending_before cannot be used together.",
        "`?starting_after=…&ending_before=…`",
      ),
      unknown_cursor: invalid(
        "starting_after",
        "starting_after is not the id of a record of this shop.",
        "An id that this shop doesn't have: another shop's, or of a record that was pruned",
      ),
      sort: invalid(
        "sort",
        "sort must be one of inserted_at_desc, inserted_at_asc, updated_at_desc, updated_at_asc.",
        "`?sort=newest`",
      ),
      time: invalid(
        "updated_at_min",
        "updated_at_min must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.",
        "`?updated_at_min=yesterday`",
      ),
    }),
  },
} satisfies OperationSchema;

function cursorTime(record: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(String(record["updated_at"]));
}
