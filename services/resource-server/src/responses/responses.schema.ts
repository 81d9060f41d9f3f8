import {
  BASE_URL,
  example,
  field,
  invalid,
  invalidAnswer,
  pageParameters,
  text,
} from "@partner-connect/contract/openapi";
import { RESPONSE_DESCRIPTIONS, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import Type, { type TSchema } from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import {
  pageAnswer,
  recordSchema,
  Timestamp,
  timeFilters,
  timeParameter,
} from "../pagination/page.schema.ts";
import { DEFAULT_SORT, LEGACY_NAMES, type SentParameters, SORT_NAMES } from "./list-parameters.ts";

export const PATH = "/api/responses";

const AN_ID = "res_018d1e37a8e07a11b2c93c5d7e9f0a1b";
const A_TIME = "2024-01-18T19:27:05.104Z";

const LEGACY: Record<string, TSchema> = Object.fromEntries(
  [...LEGACY_NAMES].map(([legacy, canonical]) => {
    const description = `The older name of \`${canonical}\`, which is used if both are sent.`;
    const schema = canonical.startsWith("inserted_at")
      ? timeParameter(description, A_TIME)
      : Type.Optional(text(description, AN_ID));
    return [legacy, Object.assign(schema, { deprecated: true })];
  }),
);

const CURRENT = Type.Object({
  ...pageParameters(AN_ID),
  cursor_time: timeParameter(
    "With a cursor: the sort time (`inserted_at` or `updated_at`) of its record, as you received it. The page then continues " +
      "from exactly that position, even if the record has since changed; without it, records may repeat or be missed.",
    A_TIME,
  ),
  ...timeFilters("inserted_at", A_TIME),
  ...timeFilters("updated_at", A_TIME),
  sort: Type.Optional(
    field(
      Type.Enum(SORT_NAMES, {
        default: DEFAULT_SORT,
        description:
          "The order, newest or oldest first by insertion or last change; ties are broken by id.",
        examples: ["updated_at_asc"],
      }),
      `one of ${SORT_NAMES.join(", ")}`,
    ),
  ),
});

/** The schema of the query that `withoutOverriddenNames` returns. */
export const ListQuery = Type.Unsafe<SentParameters>(
  Type.Object({ ...CURRENT.properties, ...LEGACY }),
);

const SurveyResponse = recordSchema(
  "SurveyResponse",
  "One customer's answer to one question, with details of the order and the visit; of a question with several choices, one record for each choice. " +
    "An order may have several records, each with the same order fields: count orders, and add `order_total`, once per `order_id`. All fields are present; most may be null.",
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

type ResponseRecord = Readonly<Record<string, unknown>>;

const CHOSEN: ResponseRecord = {
  ...Object.fromEntries(
    Object.entries(RESPONSE_DESCRIPTIONS).map(([name, [, example]]) => [name, example]),
  ),
  other_response: null,
  original_response: null,
};

/** A free-text answer that the merchant has recategorized. */
const RECATEGORIZED: ResponseRecord = {
  ...CHOSEN,
  id: "res_018d1f0a41207c04ae5ed1f0a8873be2",
  inserted_at: "2024-01-18T23:17:00.000Z",
  updated_at: "2024-02-02T08:00:00.000Z",
  response_provided_at: "2024-01-18T23:16:58.312Z",
  question_id: 1001,
  question: "How did you hear about us?",
  response: "Friend or family",
  response_id: null,
  response_position: null,
  other: true,
  other_response: "My sister wouldn't stop talking about it",
  original_response: "Other",
  clarification_question: false,
  referring_question: null,
  referring_question_id: null,
  referring_question_response: null,
  referring_question_response_id: null,
  submit_delta: 21_950,
  customer_id: "6098765432109",
  customer_order_count: 3,
  email: "noor.1x9tq2@mail.example",
  order_id: "4000000018432",
  order_number: "10019",
  coupon_code: null,
  coupon_type: null,
  coupon_amount: null,
  landing_page_path: "/",
  referring_site: null,
  utm_campaign: null,
  utm_content: null,
  utm_medium: null,
  utm_source: null,
  utm_term: null,
};

/** The examples, ordered by `updated_at`. */
export const EXAMPLE_RESPONSES = [CHOSEN, RECATEGORIZED] as const;

const [first, second] = EXAMPLE_RESPONSES;
const LINK = `${BASE_URL}${PATH}?limit=1&sort=updated_at_asc`;

export const schema = {
  operationId: "listResponses",
  tags: ["Responses"],
  summary: "Lists the shop's responses.",
  description:
    "Follow `next` until it is null: it keeps your filters, sort and limit. To copy a shop, ask for `limit=1000` with `sort=updated_at_asc`.\n\n" +
    "To stay in sync, read with `sort=updated_at_asc` and keep the last record's `id` and `updated_at`; later pass them as `starting_after` and `cursor_time`. " +
    "A record that you already have replaces yours.\n\n" +
    "Each parameter has one value; unknown ones are ignored, and named in `x-ignored-parameters`. If an older name and the current one are both sent, the current one is used.",
  querystring: ListQuery,
  response: {
    200: pageAnswer(SurveyResponse, PATH, first["id"] as string, {
      first_page: example(
        "`?limit=1&sort=updated_at_asc`: a follow-up question, answered with an option",
        {
          data: [first],
          prev: null,
          next: `${LINK}&starting_after=${first["id"]}&cursor_time=${cursorTime(first)}`,
        },
      ),
      last_page: example("The page at `next`: own words that the merchant has since categorized", {
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
        "An id that this shop doesn't have: of another shop, or of a record deleted more than 400 days ago",
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
};

function cursorTime(record: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(String(record["updated_at"]));
}
