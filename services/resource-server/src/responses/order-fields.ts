import type { DescribedFields } from "../openapi/record.schema.ts";

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
