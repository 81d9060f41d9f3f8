import { formatTimestamp } from "@partner-connect/contract";
import { newResponseId } from "../record/response-record.ts";
import {
  AD_CONTENTS,
  CAMPAIGNS,
  COUPONS,
  CURRENCIES,
  categoriesOf,
  LANDING_PAGES,
  NAMES,
  type Option,
  QUESTIONS,
  type Question,
  WORDS_OF_CUSTOMERS,
} from "./catalog.ts";
import { type Random, seededRandom } from "./random.ts";

interface GenerateOptions {
  readonly count: number;
  /** Any text. With the same options, it produces the same bytes. Default "1". */
  readonly seed?: string;
  /** Exclusive end of the window of 365 days, in milliseconds. Default: {@link DEFAULT_TO}. */
  readonly to?: number;
  /** The index of the first order, which its id and number contain. Default 0. */
  readonly firstOrder?: number;
}

/** A constant, so that the output does not depend on the day. */
const DEFAULT_TO = Date.parse("2025-01-01T00:00:00Z");
const DAY = 86_400_000;
const YEAR = 365 * DAY;

/**
 * Generates import lines of responses, oldest first; one in eight was recategorized. Some orders
 * have several answers, with the same time.
 */
export function* generateResponses({
  count,
  seed = "1",
  to = DEFAULT_TO,
  firstOrder = 0,
}: GenerateOptions): Generator<string> {
  const random = seededRandom(seed);
  let [inserted, orders] = [to - YEAR, firstOrder];
  let order: Record<string, unknown> = {};
  let answers: Record<string, unknown>[] = [];
  for (let index = 0; index < count; index++) {
    const isNext = answers.length === 0;
    if (isNext) {
      const time = to - YEAR + Math.floor((index + random.fraction()) * (YEAR / count));
      inserted = Math.max(inserted, time);
    }
    const id = newResponseId(inserted, Buffer.from(random.hex(12).slice(0, 20), "hex"));
    if (isNext) [answers, order] = [answersOfOrder(random), orderFields(orders++, random)];
    const answered = { ...answers.shift(), ...order };
    const moved = random.chance(1 / 8) ? recategorizationTime(inserted, to, random) : undefined;
    const fields = moved === undefined ? answered : recategorize(answered, random);
    const times = {
      inserted_at: formatTimestamp(inserted),
      updated_at: formatTimestamp(moved ?? inserted),
      response_provided_at: formatTimestamp(inserted - random.integer(3_000)),
    };
    yield `${JSON.stringify({ id, ...times, ...fields })}\n`;
  }
}

/**
 * The time of a recategorization: within weeks, or in a monthly clean-up. Undefined if it is after
 * the window.
 */
function recategorizationTime(inserted: number, to: number, random: Random): number | undefined {
  const cleanup = to - YEAR + Math.ceil((inserted + 1 - to + YEAR) / (30 * DAY)) * 30 * DAY;
  const single = inserted + 1 + random.integer(21 * DAY);
  const time = random.chance(0.5) ? cleanup : single;
  return time < to ? time : undefined;
}

/** Generates import lines of all questions, published at the start of the window. */
export function* generateQuestions({
  to = DEFAULT_TO,
}: Pick<GenerateOptions, "to"> = {}): Generator<string> {
  const began = formatTimestamp(to - YEAR);
  for (const { referring: _, ...question } of QUESTIONS) {
    const record = {
      ...question,
      submit_text: "Submit",
      ...(question.allow_other && { other_placeholder: "Tell us more" }),
      randomize_responses: question.type === "single_response",
      max_responses: question.type === "multi_response" ? 3 : 1,
      frequency_type: question.customer_type === "new" ? "once" : "always",
      ...{ published_at: began, inserted_at: began, updated_at: began },
      responses: question.responses.map((option) => ({ clarification_question: null, ...option })),
    };
    yield `${JSON.stringify(record)}\n`;
  }
}

/** A customer's answers: up to three choices at a question, each with its follow-up. */
function answersOfOrder(random: Random): Record<string, unknown>[] {
  const asked = QUESTIONS.filter(({ referring }) => !referring);
  const question = random.pick(random.chance(0.5) ? asked.slice(0, 1) : asked);
  const answers = Array.from({ length: question.type === "multi_response" ? 3 : 1 }, () =>
    answerFields(question, random),
  );
  const distinct = new Map(answers.map((answer) => [answer["response"], answer]));
  return [...distinct.values()].flatMap((answer) => {
    const next = QUESTIONS.find(
      ({ referring }) => referring && referring.option === answer["response_id"],
    );
    return next ? [answer, answerFields(next, random)] : [answer];
  });
}

function answerFields(question: Question, random: Random): Record<string, unknown> {
  const asked = {
    question_id: question.id,
    question: question.prompt,
    question_type: question.type,
    submit_delta: 2_000 + random.integer(90_000),
  };
  return { ...asked, ...chooseAnswer(question, random), ...referringFields(question) };
}

function recategorize(fields: Record<string, unknown>, random: Random): Record<string, unknown> {
  const others = categoriesOf(fields["question_id"]).filter((one) => one !== fields["response"]);
  return {
    ...fields,
    response: random.pick(others),
    original_response: fields["response"] ?? fields["other_response"],
  };
}

function chooseAnswer(question: Question, random: Random): Record<string, unknown> {
  if (question.responses.length === 0)
    return { other: false, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  if (question.allow_other && random.chance(0.08)) {
    return { response: "Other", other: true, other_response: random.pick(WORDS_OF_CUSTOMERS) };
  }
  // Squared, so that the first options are popular.
  const position = Math.floor(random.fraction() ** 2 * question.responses.length);
  const option = question.responses[position] as Option;
  return {
    response: option.value,
    response_id: option.id,
    response_position: position + 1,
    other: false,
  };
}

function referringFields(question: Question): Record<string, unknown> {
  const referring = QUESTIONS.find((candidate) => candidate.id === question.referring?.question);
  if (!referring) return { clarification_question: false };
  const option = referring.responses.find(
    (candidate) => candidate.id === question.referring?.option,
  );
  return {
    clarification_question: true,
    referring_question: referring.prompt,
    referring_question_id: referring.id,
    referring_question_response: option?.value,
    referring_question_response_id: option?.id,
  };
}

function orderFields(index: number, random: Random): Record<string, unknown> {
  const customer = 6_000_000_000 + random.integer(900_000_000);
  const currency = random.pick(CURRENCIES);
  const dollars = 1200 + random.integer(24_000);
  const coupon = random.chance(0.2) ? random.pick(COUPONS) : undefined;
  const orders = random.chance(0.7) ? 1 : 2 + random.integer(9);
  return {
    customer_id: String(customer),
    customer_order_count: orders,
    email: `${random.pick(NAMES)}.${customer.toString(36)}@mail.example`,
    order_id: String(4_000_000_000_000 + index * 1_024),
    order_number: String(10_001 + index),
    order_platform: "shopify",
    order_source: random.chance(0.9) ? "web" : "shop_app",
    order_currency_code: currency.code,
    order_total: formatMoney(dollars * currency.rate),
    order_total_usd: formatMoney(dollars),
    ...(coupon && {
      coupon_code: coupon.code,
      coupon_type: coupon.type,
      coupon_amount: formatMoney(dollars / 10),
    }),
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

function formatMoney(cents: number): string {
  return (Math.round(cents) / 100).toFixed(2);
}
