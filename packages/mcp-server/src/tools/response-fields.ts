import type { ResponseRecord } from "@partner-connect/partner-sdk";

type FieldName = keyof ResponseRecord;

/** Every field of a response, and whether it is shown unasked: it is where it names nobody, but in customers' own words. */
const IS_USUAL: Readonly<Record<FieldName, boolean>> = {
  id: true,
  inserted_at: true,
  updated_at: true,
  question_id: true,
  question: true,
  response: true,
  other_response: true,
  original_response: true,
  clarification_question: true,
  customer_order_count: true,
  order_total_usd: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  landing_page_path: true,
  referring_site: true,
  response_provided_at: false,
  question_type: false,
  response_id: false,
  response_position: false,
  other: false,
  referring_question: false,
  referring_question_id: false,
  referring_question_response: false,
  referring_question_response_id: false,
  submit_delta: false,
  customer_id: false,
  email: false,
  order_id: false,
  order_number: false,
  order_platform: false,
  order_source: false,
  order_currency_code: false,
  order_total: false,
  coupon_code: false,
  coupon_type: false,
  coupon_amount: false,
  utm_content: false,
  utm_term: false,
};

export const FIELDS = Object.keys(IS_USUAL) as FieldName[];
export const USUAL_FIELDS = FIELDS.filter((name) => IS_USUAL[name]);

export function pick(record: ResponseRecord, fields: readonly FieldName[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((name) => [name, record[name]]));
}
