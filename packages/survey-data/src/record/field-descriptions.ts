/** Descriptions of a record's fields, by name. */
export type DescribedFields = Readonly<
  Record<string, readonly [description: string, example: unknown]>
>;

/** Descriptions of a response's fields, in the order of the record. */
export const RESPONSE_DESCRIPTIONS: DescribedFields = {
  id: [
    "The response's id, which never changes. Opaque, 1 to 64 characters; ids that we generate sort by creation time. " +
      "It is the value of `starting_after` and `ending_before`.",
    "res_018d1e37a8e07a11b2c93c5d7e9f0a1b",
  ],
  inserted_at: [
    "Insertion time: when the customer answered, as the survey product reports it, or else when the response was stored here.",
    "2024-01-18T19:27:05.104Z",
  ],
  updated_at: [
    "When the record last changed: a recategorization gives `response` another value. Never before `inserted_at`; later from the start if the response arrived late.",
    "2024-01-18T19:27:05.104Z",
  ],
  response_provided_at: [
    "When the customer answered, by the source's clock. Usually a moment before `inserted_at`.",
    "2024-01-18T19:27:03.870Z",
  ],
  question_id: ["The `id` of the question that was answered.", 1002],
  question: ["The question as the customer read it, unaffected by later edits.", "Which podcast?"],
  question_type: [
    "The question's `type` when it was answered: `single_response`, `multi_response` or `open_ended`. New values may be added.",
    "single_response",
  ],
  response: [
    "The current value of the answer: the text of the chosen option, `Other`, or the category that the merchant has since assigned. " +
      "Null if the customer only wrote their own words and they have no category. Group by this field.",
    "Slow Mornings",
  ],
  response_id: [
    "The `id` of the option that the customer chose, among the question's `responses`. Null for own words. A recategorization does not change it.",
    2102,
  ],
  response_position: [
    "The position of the chosen option in the list that this customer saw, counted from 1. Null for own words. Options may be shown in random order.",
    2,
  ],
  other: ["Whether the customer chose 'Other' to write their own words.", false],
  other_response: [
    "The customer's own words, unchanged. Null if an option was chosen. May contain personal data.",
    "My sister wouldn't stop talking about it",
  ],
  original_response: [
    "The `response` before the first recategorization, or the customer's own words if it was null. Null if never recategorized.",
    "Other",
  ],
  clarification_question: [
    "Whether the question was a follow-up to an option of another question, which the `referring_…` fields then name. A source that knows " +
      "the follow-up's text may give that text in place of `true`. Null where the source doesn't say.",
    true,
  ],
  referring_question: [
    "For a follow-up: the question that led to it, as the customer read it.",
    "How did you hear about us?",
  ],
  referring_question_id: ["For a follow-up: the `id` of that question.", 1001],
  referring_question_response: [
    "For a follow-up: the option of that question that led to it.",
    "Podcast",
  ],
  referring_question_response_id: ["For a follow-up: the `id` of that option.", 2005],
  submit_delta: [
    "Milliseconds between showing the question and submitting the answer. Very small values are suspicious.",
    8420,
  ],
  customer_id: ["The customer's id in the shop's own system. Opaque.", "6012345678901"],
  customer_order_count: [
    "The customer's number of orders, including this one: 1 means a first order.",
    1,
  ],
  email: ["The customer's email address. Personal data.", "ada.2r8k1f@mail.example"],
  order_id: ["The order's id in the shop's own system. Opaque.", "4000000017408"],
  order_number: ["The order's number as the customer knows it.", "10018"],
  order_platform: [
    "The software that the shop runs on, such as `shopify`, in lower case.",
    "shopify",
  ],
  order_source: [
    "Where the order was placed, in the platform's own terms, such as `web` or `shop_app`.",
    "web",
  ],
  order_currency_code: ["The currency of `order_total`: an ISO 4217 code.", "EUR"],
  order_total: [
    "What the customer paid, in units of `order_currency_code`. A decimal string, such as `12.50`.",
    "115.92",
  ],
  order_total_usd: [
    "`order_total` in US dollars, at the source's exchange rate for the order's day. A decimal string.",
    "126.00",
  ],
  coupon_code: ["The coupon code that was used. Null without one.", "PODCAST15"],
  coupon_type: [
    "The kind of discount, in the platform's own terms, such as `percentage` or `fixed_amount`.",
    "percentage",
  ],
  coupon_amount: [
    "The discount as an amount of money, also for a `percentage` coupon. A decimal string.",
    "12.60",
  ],
  landing_page_path: [
    "The path of the first page of this visit, with its query if the source recorded it.",
    "/products/starter-kit",
  ],
  referring_site: [
    "The page or site that linked to the shop: the browser's `Referer`. Null when there was none.",
    "https://slowmornings.example/",
  ],
  utm_campaign: ["`utm_campaign` of the link that led to the shop.", "slow_mornings_ep_112"],
  utm_content: ["`utm_content` of that link: which advertisement it was.", "host_read"],
  utm_medium: ["`utm_medium` of that link, such as `paid_social`, `cpc` or `email`.", "audio"],
  utm_source: ["`utm_source` of that link, such as `instagram`.", "podcast"],
  utm_term: ["`utm_term` of that link: the words that were searched for.", "starter kit"],
};

export const QUESTION_DESCRIPTIONS: DescribedFields = {
  id: [
    "The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses.",
    1001,
  ],
  prompt: ["The question as customers read it.", "How did you hear about us?"],
  type: [
    "Whether customers choose one option, choose several, or write their own words.",
    "single_response",
  ],
  submit_text: ["The text on the button that sends the answer.", "Submit"],
  allow_other: ["Whether customers may choose 'Other' and write their own words.", true],
  other_placeholder: ["The placeholder of the text field for own words.", "Tell us more"],
  randomize_responses: ["Whether the options are shown in random order.", true],
  max_responses: ["Maximum number of options that a customer may choose.", 1],
  customer_type: [
    "Which customers see the question: all, those with their first order, or returning ones.",
    "new",
  ],
  frequency_type: ["Whether a customer sees the question after every order, or once.", "once"],
  published_at: [
    "When the question was published. Null while it is not published.",
    "2024-01-02T00:00:00.000Z",
  ],
  inserted_at: [
    "When the question was created, as the survey product reports it, or else when it was stored here.",
    "2024-01-02T00:00:00.000Z",
  ],
  updated_at: ["When the record last changed.", "2024-01-02T00:00:00.000Z"],
  responses: [
    "The options, in the merchant's order. Empty for an `open_ended` question.",
    [
      { id: 2004, value: "Google search", clarification_question: null },
      { id: 2005, value: "Podcast", clarification_question: "Which podcast?" },
    ],
  ],
};

export const OPTION_DESCRIPTIONS: DescribedFields = {
  id: ["The option's id. A response that chose it has this id as `response_id`.", 2005],
  value: [
    "The option as customers read it. A response that chose it has this text as `response`.",
    "Podcast",
  ],
  clarification_question: [
    "The follow-up question for this option: its text, or only whether there is one if the source doesn't give the text. Null if there is none, or the source doesn't say.",
    "Which podcast?",
  ],
};
