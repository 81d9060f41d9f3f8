import type { ResponseRecord } from "@partner-connect/partner-sdk";

type FieldName = keyof ResponseRecord;

/** What most questions about a survey need. Nobody is named by them, but in what customers wrote themselves. */
export const USUAL_FIELDS = [
  "id",
  "inserted_at",
  "updated_at",
  "question_id",
  "question",
  "response",
  "other_response",
  "original_response",
  "clarification_question",
  "customer_order_count",
  "order_total_usd",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "landing_page_path",
  "referring_site",
] as const satisfies readonly FieldName[];

/** Only where they are asked for by name. */
export const OTHER_FIELDS = [
  "response_provided_at",
  "question_type",
  "response_id",
  "response_position",
  "other",
  "referring_question",
  "referring_question_id",
  "referring_question_response",
  "referring_question_response_id",
  "submit_delta",
  "customer_id",
  "email",
  "order_id",
  "order_number",
  "order_platform",
  "order_source",
  "order_currency_code",
  "order_total",
  "coupon_code",
  "coupon_type",
  "coupon_amount",
  "utm_content",
  "utm_term",
] as const satisfies readonly FieldName[];

export const FIELDS = [...USUAL_FIELDS, ...OTHER_FIELDS] as const;

/** Every field of the record is in one of the two lists. */
type Missing = Exclude<FieldName, (typeof FIELDS)[number]>;
export const NONE_IS_MISSING: [Missing] extends [never] ? true : never = true;

/** The record with these fields alone. */
export function pick(record: ResponseRecord, fields: readonly FieldName[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((name) => [name, record[name]]));
}
