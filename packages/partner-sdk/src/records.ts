// Made by `pnpm openapi` from packages/public-api/openapi.json: change the schemas there, not this file.

/** The money of an order: a decimal number as text, such as `"39.67"`. */
export type Decimal = string;

/** A time in UTC with milliseconds, such as `2026-11-21T01:02:03.123Z`. */
export type Timestamp = string;

export type SourceType = "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other";

/** What one customer answered to one question, with what the shop knows of the order and the visit. Every field is there; most may be null. */
export interface ResponseRecord {
  /** The response's id, which never changes. Opaque, 1 to 64 characters; ids that we make sort by the time at which they were made. It is the value of `starting_after` and `ending_before`. */
  readonly id: string;
  /** When the response was stored here. */
  readonly inserted_at: Timestamp;
  /** When the record last changed: a recategorization gives `response` another value. Never before `inserted_at`, and equal to it at first. */
  readonly updated_at: Timestamp;
  /** When the customer answered, by the source's clock. Usually a moment before `inserted_at`. */
  readonly response_provided_at: Timestamp | null;
  /** The `id` of the question that was answered. */
  readonly question_id: number | null;
  /** The question as the customer read it. It stays when the question is edited later. */
  readonly question: string | null;
  /** The question's `type` when it was answered: `single_response`, `multi_response` or `open_ended`. More may come. */
  readonly question_type: string | null;
  /** The answer as it counts now: the text of the option that the customer chose, `Other`, or the category into which the merchant has put it since. Null where the customer only wrote own words and nobody has put them into a category. Group by this field. */
  readonly response: string | null;
  /** The `id` of the option that the customer chose, among the question's `responses`. Null for own words. A recategorization leaves it as it was. */
  readonly response_id: number | null;
  /** Where the chosen option stood in the list that this customer saw, counted from 1. Null for own words. Options may be shown in random order. */
  readonly response_position: number | null;
  /** Whether the customer chose 'Other' to write own words. */
  readonly other: boolean | null;
  /** The customer's own words, unchanged. Null where an option was chosen. It may hold personal data. */
  readonly other_response: string | null;
  /** What `response` was before the first recategorization, or the customer's own words where there was none. Null while nothing was recategorized. */
  readonly original_response: string | null;
  /** Whether the question was a follow-up to an option of another question, which the `referring_…` fields then name. A source that knows the follow-up's text may give that text in place of `true`. Null where the source doesn't say. */
  readonly clarification_question: boolean | string | null;
  /** Of a follow-up: the question whose answer led to it, as the customer read it. */
  readonly referring_question: string | null;
  /** Of a follow-up: the `id` of that question. */
  readonly referring_question_id: number | null;
  /** Of a follow-up: the option that the customer chose there, and that led here. */
  readonly referring_question_response: string | null;
  /** Of a follow-up: the `id` of that option. */
  readonly referring_question_response_id: number | null;
  /** Milliseconds from the moment at which the question was shown to the moment at which the answer was sent. Very small values are worth a look. */
  readonly submit_delta: number | null;
  /** The customer's id in the shop's own system. Opaque. */
  readonly customer_id: string | null;
  /** How many orders the customer has made, this one included: 1 is a first order. */
  readonly customer_order_count: number | null;
  /** The customer's email address. Personal data. */
  readonly email: string | null;
  /** The order's id in the shop's own system. Opaque. */
  readonly order_id: string | null;
  /** The order's number as the customer knows it. */
  readonly order_number: string | null;
  /** The software that the shop runs on, such as `shopify`, in lower case. */
  readonly order_platform: string | null;
  /** Where the order was made, by the platform's own names, such as `web` or `shop_app`. */
  readonly order_source: string | null;
  /** The order's currency: three letters of ISO 4217. `order_total` is in it. */
  readonly order_currency_code: string | null;
  /** What the customer paid, in units of `order_currency_code`. A decimal string, such as `12.50`. */
  readonly order_total: Decimal | null;
  /** The same in US dollars, by the rate of the order's day at the source. A decimal string. */
  readonly order_total_usd: Decimal | null;
  /** The coupon code that was used. Null without one. */
  readonly coupon_code: string | null;
  /** How the coupon reckons, by the platform's own names, such as `percentage` or `fixed_amount`. */
  readonly coupon_type: string | null;
  /** What the coupon took off the order: an amount of money, also of a `percentage` coupon. A decimal string. */
  readonly coupon_amount: Decimal | null;
  /** The path of the first page of the shop that the customer saw in this visit, with its query if the source kept it. */
  readonly landing_page_path: string | null;
  /** The page or site that linked to the shop: the browser's `Referer`. Null when there was none. */
  readonly referring_site: string | null;
  /** `utm_campaign` of the link that led to the shop. */
  readonly utm_campaign: string | null;
  /** `utm_content` of that link: which advertisement it was. */
  readonly utm_content: string | null;
  /** `utm_medium` of that link, such as `paid_social`, `cpc` or `email`. */
  readonly utm_medium: string | null;
  /** `utm_source` of that link, such as `instagram`. */
  readonly utm_source: string | null;
  /** `utm_term` of that link: the words that were searched for. */
  readonly utm_term: string | null;
}

/** One of: The options, in the merchant's order. None of an `open_ended` question. */
export interface QuestionOption {
  /** The option's id, `response_id` of responses. */
  readonly id: number | null;
  /** The option as customers read it, `response` of responses. */
  readonly value: string;
  /** The follow-up question that is asked of whoever chooses this option: its text; or only whether there is one, where the source doesn't give the text. Null: there is none, or the source doesn't say. */
  readonly clarification_question: boolean | string | null;
}

/** What customers are asked after an order, with the options that they choose from. */
export interface QuestionRecord {
  /** The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses. */
  readonly id: number;
  /** The question as customers read it. */
  readonly prompt: string;
  /** Whether a customer chooses one option, chooses several, or writes own words. */
  readonly type: "single_response" | "multi_response" | "open_ended" | (string & {}) | null;
  /** The text on the button that sends the answer. */
  readonly submit_text: string | null;
  /** Whether customers may choose 'Other' and write own words. */
  readonly allow_other: boolean | null;
  /** What stands in the empty field of own words. */
  readonly other_placeholder: string | null;
  /** Whether each customer sees the options in another order. */
  readonly randomize_responses: boolean | null;
  /** How many options a customer may choose at most. */
  readonly max_responses: number | null;
  /** Who is asked: everyone, customers with their first order, or customers who come back. */
  readonly customer_type: "everyone" | "new" | "returning" | (string & {}) | null;
  /** Whether a customer is asked after every order, or once. */
  readonly frequency_type: "always" | "once" | (string & {}) | null;
  /** Since when customers are asked. Null while they aren't. */
  readonly published_at: Timestamp | null;
  /** When the question was stored here. */
  readonly inserted_at: Timestamp;
  /** When the record last changed. */
  readonly updated_at: Timestamp;
  /** The options, in the merchant's order. None of an `open_ended` question. */
  readonly responses: readonly QuestionOption[];
}

/** That a response is deleted. */
export interface DeletedResponse {
  /** The response that is deleted. */
  readonly id: string;
  /** When: later than every `updated_at` and `deleted_at` that was visible before. */
  readonly deleted_at: Timestamp;
}

/** An attribution source as you describe it. Texts are trimmed; unknown fields are ignored. */
export interface NewSource {
  /** The source as people know it. */
  readonly name: string;
  /** What kind of source it is. */
  readonly type: SourceType;
  /** Your own id of it; at most one source of a shop has it. Sent again, it updates that source. */
  readonly external_id?: string | null;
  /** Where it is: an absolute http or https URL. */
  readonly url?: string | null;
  /** Other names by which customers may write it. */
  readonly aliases?: readonly string[] | null;
}

/** An attribution source. */
export interface SourceRecord {
  /** Opaque. */
  readonly id: string;
  /** The source as people know it. */
  readonly name: string;
  /** What kind of source it is. More may come. */
  readonly type: SourceType | (string & {});
  /** Your own id of it; at most one source of a shop has it. Sent again, it updates that source. */
  readonly external_id: string | null;
  /** Where it is: an absolute http or https URL. */
  readonly url: string | null;
  /** Other names by which customers may write it. */
  readonly aliases: readonly string[];
  /** When the source was created. */
  readonly inserted_at: Timestamp;
  /** When it last changed. */
  readonly updated_at: Timestamp;
}

/** Whom a credential speaks for. */
export interface ConnectionRecord {
  /** The connection, for as long as it is connected. Null for an API key. */
  readonly id: string | null;
  /** The shop whose data this credential reads. */
  readonly shop: { readonly id: string; readonly name: string; readonly domain: string | null; readonly plan: "standard" | "advanced_attribution" | (string & {}) };
  /** The client that is connected. Null for an API key. */
  readonly client_id: string | null;
  /** What calls with this credential may use now, separated by spaces; may be empty. An access token that was refreshed may have more. */
  readonly scope: string;
  /** When the shop was connected. Null for an API key. */
  readonly connected_at: Timestamp | null;
  /** The last use of the refresh token; it may lag behind by a 720th of its life, an hour of 30 days. Null for an API key. */
  readonly last_used_at: Timestamp | null;
  /** Until then the refresh token lives at least, without another refresh; each refresh extends it. Null for an API key, and while the code of a new approval is not exchanged yet. */
  readonly expires_at: Timestamp | null;
}
