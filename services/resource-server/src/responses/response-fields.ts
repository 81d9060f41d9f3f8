import { RESPONSE_DESCRIPTIONS, RESPONSE_FIELDS } from "@partner-connect/survey-data";
import Type from "typebox";
import { recordSchema, Timestamp } from "../pagination/record.schema.ts";

export const SurveyResponse = recordSchema(
  "SurveyResponse",
  "One customer's answer to one question, with details of the order and the visit. All fields are present; most may be null.",
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
