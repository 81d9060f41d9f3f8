import {
  AD_CONTENTS,
  CAMPAIGNS,
  COUPONS,
  CURRENCIES,
  LANDING_PAGES,
  NAMES,
  type Option,
  QUESTIONS,
  type Question,
  WORDS_OF_CUSTOMERS,
} from "./catalog.ts";
import type { Random } from "./random.ts";

export function answerFields(random: Random): Record<string, unknown> {
  const question = random.chance(0.5) ? firstQuestion() : random.pick(QUESTIONS);
  const asked = { question_id: question.id, question: question.prompt, question_type: question.type };
  return { ...asked, ...choice(question, random), ...referringFields(question) };
}

export function recategorized(fields: Record<string, unknown>, random: Random): Record<string, unknown> {
  const others = firstQuestion().options.filter((option) => option.value !== fields["response"]);
  return {
    ...fields,
    response: random.pick(others).value,
    original_response: fields["response"] ?? fields["other_response"],
  };
}

function choice(question: Question, random: Random): Record<string, unknown> {
  if (question.options.length === 0) return { other: false, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  if (question.allowOther && random.chance(0.08)) {
    return { response: "Other", other: true, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  }
  // Squared, so that the first options are popular.
  const position = Math.floor(random.fraction() ** 2 * question.options.length);
  const option = question.options[position] as Option;
  return { response: option.value, response_id: option.id, response_position: position + 1, other: false };
}

function referringFields(question: Question): Record<string, unknown> {
  const referring = QUESTIONS.find((candidate) => candidate.id === question.referring?.question);
  if (!referring) return { clarification_question: false };
  const option = referring.options.find((candidate) => candidate.id === question.referring?.option);
  return {
    clarification_question: true,
    referring_question: referring.prompt,
    referring_question_id: referring.id,
    referring_question_response: option?.value,
    referring_question_response_id: option?.id,
  };
}

function firstQuestion(): Question {
  return QUESTIONS[0] as Question;
}

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
