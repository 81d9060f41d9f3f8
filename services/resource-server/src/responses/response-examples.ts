import type { DescribedFields } from "../openapi/record.schema.ts";
import { ANSWER_FIELDS, ORDER_FIELDS } from "./response-fields.ts";

export const RESPONSE_DESCRIPTIONS: DescribedFields = { ...ANSWER_FIELDS, ...ORDER_FIELDS };

type ResponseRecord = Readonly<Record<string, unknown>>;

/** A follow-up question that was answered by an option. */
const CHOSEN: ResponseRecord = {
  ...Object.fromEntries(Object.entries(RESPONSE_DESCRIPTIONS).map(([name, { example }]) => [name, example])),
  other_response: null,
  original_response: null,
};

/** Own words, which the merchant has put into a category since. */
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

/** The records of the examples, in the order of their `updated_at`. */
export const EXAMPLE_RESPONSES = [CHOSEN, RECATEGORIZED] as const;
