import { AD_CONTENTS, CAMPAIGNS, COUPONS, CURRENCIES, LANDING_PAGES, NAMES } from "./catalog.ts";
import type { Random } from "./random.ts";

/** The fields that come with the order and not with the answer, in the API's names. */
export function orderFields(index: number, random: Random): Record<string, unknown> {
  const customer = 6_000_000_000 + random.integer(900_000_000);
  const currency = random.pick(CURRENCIES);
  const dollars = 1200 + random.integer(24_000);
  const coupon = random.chance(0.2) ? random.pick(COUPONS) : undefined;
  const orders = random.chance(0.7) ? 1 : 2 + random.integer(9);
  return {
    submit_delta: 2_000 + random.integer(90_000),
    customer_id: String(customer),
    customer_order_count: orders,
    email: `${random.pick(NAMES)}.${customer.toString(36)}@mail.example`,
    order_id: String(4_000_000_000_000 + index * 1_024),
    order_number: String(10_001 + index),
    order_platform: "shopify",
    order_source: random.chance(0.9) ? "web" : "shop_app",
    order_currency_code: currency.code,
    order_total: money(dollars * currency.rate),
    order_total_usd: money(dollars),
    ...(coupon && { coupon_code: coupon.code, coupon_type: coupon.type, coupon_amount: money(dollars / 10) }),
    landing_page_path: random.pick(LANDING_PAGES),
    ...(random.chance(0.6) && visitFields(random)),
  };
}

function visitFields(random: Random): Record<string, unknown> {
  const campaign = random.pick(CAMPAIGNS);
  return {
    referring_site: campaign.site,
    utm_campaign: campaign.campaign,
    utm_content: random.pick(AD_CONTENTS),
    utm_medium: campaign.medium,
    utm_source: campaign.source,
    ...(campaign.medium === "cpc" && { utm_term: "starter kit" }),
  };
}

function money(cents: number): string {
  return (Math.round(cents) / 100).toFixed(2);
}
