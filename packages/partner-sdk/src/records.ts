/** The money of an order: a decimal number as text, such as `"39.67"`. */
export type Decimal = string;

/** A time in UTC with milliseconds, such as `2026-11-21T01:02:03.123Z`. */
export type Timestamp = string;

/** A customer's survey response. More fields may come. */
export interface ResponseRecord {
  readonly id: string;
  readonly inserted_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly response_provided_at: Timestamp | null;
  readonly question_id: number | null;
  readonly question: string | null;
  readonly question_type: string | null;
  readonly response: string | null;
  readonly response_id: number | null;
  readonly response_position: number | null;
  readonly other: boolean | null;
  readonly other_response: string | null;
  readonly original_response: string | null;
  readonly clarification_question: boolean | string | null;
  readonly referring_question: string | null;
  readonly referring_question_id: number | null;
  readonly referring_question_response: string | null;
  readonly referring_question_response_id: number | null;
  readonly submit_delta: number | null;
  readonly customer_id: string | null;
  readonly customer_order_count: number | null;
  readonly email: string | null;
  readonly order_id: string | null;
  readonly order_number: string | null;
  readonly order_platform: string | null;
  readonly order_source: string | null;
  readonly order_currency_code: string | null;
  readonly order_total: Decimal | null;
  readonly order_total_usd: Decimal | null;
  readonly coupon_code: string | null;
  readonly coupon_type: string | null;
  readonly coupon_amount: Decimal | null;
  readonly landing_page_path: string | null;
  readonly referring_site: string | null;
  readonly utm_campaign: string | null;
  readonly utm_content: string | null;
  readonly utm_medium: string | null;
  readonly utm_source: string | null;
  readonly utm_term: string | null;
}

export interface QuestionRecord {
  readonly id: number;
  readonly prompt: string | null;
  readonly type: "single_response" | "multi_response" | "open_ended" | null;
  readonly submit_text: string | null;
  readonly allow_other: boolean | null;
  readonly other_placeholder: string | null;
  readonly randomize_responses: boolean | null;
  readonly max_responses: number | null;
  readonly customer_type: "everyone" | "new" | "returning" | null;
  readonly frequency_type: "always" | "once" | null;
  readonly published_at: Timestamp | null;
  readonly inserted_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly responses: readonly QuestionOption[] | null;
}

/** What a customer may choose. */
export interface QuestionOption {
  readonly id: number | null;
  readonly value: string | null;
  readonly clarification_question: boolean | string | null;
}

/** A response that the shop has deleted, and has not brought back since. */
export interface DeletedResponse {
  readonly id: string;
  readonly deleted_at: Timestamp;
}

export type SourceType = "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other";

export interface NewSource {
  readonly name: string;
  readonly type: SourceType;
  /** Your own id. The same one again updates that source. */
  readonly external_id?: string | null;
  /** http or https. */
  readonly url?: string | null;
  readonly aliases?: readonly string[] | null;
}

export interface SourceRecord {
  readonly id: string;
  readonly name: string;
  readonly type: SourceType;
  readonly external_id: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
  readonly inserted_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** For whom a credential speaks. With an API key, `id`, `client_id` and the times are null. */
export interface ConnectionRecord {
  readonly id: string | null;
  readonly shop: { readonly id: string; readonly name: string; readonly domain: string | null; readonly plan: string };
  readonly client_id: string | null;
  /** Space-delimited: what calls may use now. */
  readonly scope: string;
  readonly connected_at: Timestamp | null;
  readonly last_used_at: Timestamp | null;
  readonly expires_at: Timestamp | null;
}
