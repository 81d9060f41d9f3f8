import type { DescribedFields } from "../openapi/record.schema.ts";

/** What a response record says of the question and of what the customer answered. */
export const ANSWER_FIELDS: DescribedFields = {
  id: {
    description:
      "The response's id, which never changes. Opaque, 1 to 64 characters; ids that we make sort by the time at which they were made. " +
      "It is the value of `starting_after` and `ending_before`.",
    example: "res_018d1e37a8e07a11b2c93c5d7e9f0a1b",
  },
  inserted_at: { description: "When the response was stored here.", example: "2024-01-18T19:27:05.104Z" },
  updated_at: {
    description:
      "When the record last changed: a recategorization gives `response` another value. Never before `inserted_at`, and equal to it at first.",
    example: "2024-01-18T19:27:05.104Z",
  },
  response_provided_at: {
    description: "When the customer answered, by the source's clock. Usually a moment before `inserted_at`.",
    example: "2024-01-18T19:27:03.870Z",
  },
  question_id: { description: "The `id` of the question that was answered.", example: 1002 },
  question: {
    description: "The question as the customer read it. It stays when the question is edited later.",
    example: "Which podcast?",
  },
  question_type: {
    description:
      "The question's `type` when it was answered: `single_response`, `multi_response` or `open_ended`. More may come.",
    example: "single_response",
  },
  response: {
    description:
      "The answer as it counts now: the text of the option that the customer chose, `Other`, or the category into which the merchant has put it since. " +
      "Null where the customer only wrote own words and nobody has put them into a category. Group by this field.",
    example: "Slow Mornings",
  },
  response_id: {
    description:
      "The `id` of the option that the customer chose, among the question's `responses`. Null for own words. A recategorization leaves it as it was.",
    example: 2102,
  },
  response_position: {
    description:
      "Where the chosen option stood in the list that this customer saw, counted from 1. Null for own words. Options may be shown in random order.",
    example: 2,
  },
  other: { description: "Whether the customer chose 'Other' to write own words.", example: false },
  other_response: {
    description: "The customer's own words, unchanged. Null where an option was chosen. It may hold personal data.",
    example: "My sister wouldn't stop talking about it",
  },
  original_response: {
    description:
      "What `response` was before the first recategorization, or the customer's own words where there was none. Null while nothing was recategorized.",
    example: "Other",
  },
  clarification_question: {
    description:
      "Whether the question was a follow-up to an option of another question, which the `referring_…` fields then name. A source that knows " +
      "the follow-up's text may give that text in place of `true`. Null where the source doesn't say.",
    example: true,
  },
  referring_question: {
    description: "Of a follow-up: the question whose answer led to it, as the customer read it.",
    example: "How did you hear about us?",
  },
  referring_question_id: { description: "Of a follow-up: the `id` of that question.", example: 1001 },
  referring_question_response: {
    description: "Of a follow-up: the option that the customer chose there, and that led here.",
    example: "Podcast",
  },
  referring_question_response_id: { description: "Of a follow-up: the `id` of that option.", example: 2005 },
  submit_delta: {
    description:
      "Milliseconds from the moment at which the question was shown to the moment at which the answer was sent. Very small values are worth a look.",
    example: 8420,
  },
};

/** What a response record says of the order after which the customer was asked, and of the visit that led to it. */
export const ORDER_FIELDS: DescribedFields = {
  customer_id: { description: "The customer's id in the shop's own system. Opaque.", example: "6012345678901" },
  customer_order_count: {
    description: "How many orders the customer has made, this one included: 1 is a first order.",
    example: 1,
  },
  email: { description: "The customer's email address. Personal data.", example: "ada.2r8k1f@mail.example" },
  order_id: { description: "The order's id in the shop's own system. Opaque.", example: "4000000017408" },
  order_number: { description: "The order's number as the customer knows it.", example: "10018" },
  order_platform: {
    description: "The software that the shop runs on, such as `shopify`, in lower case.",
    example: "shopify",
  },
  order_source: {
    description: "Where the order was made, by the platform's own names, such as `web` or `shop_app`.",
    example: "web",
  },
  order_currency_code: {
    description: "The order's currency: three letters of ISO 4217. `order_total` is in it.",
    example: "EUR",
  },
  order_total: {
    description: "What the customer paid, in units of `order_currency_code`. A decimal string, such as `12.50`.",
    example: "115.92",
  },
  order_total_usd: {
    description: "The same in US dollars, by the rate of the order's day at the source. A decimal string.",
    example: "126.00",
  },
  coupon_code: { description: "The coupon code that was used. Null without one.", example: "PODCAST15" },
  coupon_type: {
    description: "How the coupon reckons, by the platform's own names, such as `percentage` or `fixed_amount`.",
    example: "percentage",
  },
  coupon_amount: {
    description:
      "What the coupon took off the order: an amount of money, also of a `percentage` coupon. A decimal string.",
    example: "12.60",
  },
  landing_page_path: {
    description:
      "The path of the first page of the shop that the customer saw in this visit, with its query if the source kept it.",
    example: "/products/starter-kit",
  },
  referring_site: {
    description: "The page or site that linked to the shop: the browser's `Referer`. Null when there was none.",
    example: "https://slowmornings.example/",
  },
  utm_campaign: { description: "`utm_campaign` of the link that led to the shop.", example: "slow_mornings_ep_112" },
  utm_content: { description: "`utm_content` of that link: which advertisement it was.", example: "host_read" },
  utm_medium: { description: "`utm_medium` of that link, such as `paid_social`, `cpc` or `email`.", example: "audio" },
  utm_source: { description: "`utm_source` of that link, such as `instagram`.", example: "podcast" },
  utm_term: { description: "`utm_term` of that link: the words that were searched for.", example: "starter kit" },
};
