import { formatTimestamp } from "@partner-connect/contract";
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
import { insertionTimes, type Random, recategorizationTime, seededRandom, type Window } from "./random.ts";

interface GenerateOptions {
  readonly count: number;
  /** Any text. The same seed and window produce the same bytes. Default "1". */
  readonly seed?: string;
  /** Milliseconds. Default: 365 days before `to`. */
  readonly from?: number;
  /** Milliseconds, exclusive. Default: {@link DEFAULT_TO}. */
  readonly to?: number;
}

/** A constant, so that the output does not depend on the day. */
const DEFAULT_TO = Date.parse("2025-01-01T00:00:00Z");
const YEAR = 365 * 86_400_000;

/** Generates import lines of responses by inserted_at; one in eight was recategorized. @throws {RangeError} unless `from` is before `to` */
export function* generateResponses(options: GenerateOptions): Generator<string> {
  const window = windowOf(options);
  const random = seededRandom(options.seed ?? "1");
  let index = 0;
  for (const inserted of insertionTimes(options.count, window, random)) {
    const id = responseId(inserted, Buffer.from(random.hex(12).slice(0, 20), "hex"));
    const answered = { ...answerFields(random), ...orderFields(index, random) };
    const moved = random.chance(1 / 8) ? recategorizationTime(inserted, window, random) : undefined;
    const fields = moved === undefined ? answered : recategorized(answered, random);
    const times = {
      inserted_at: formatTimestamp(inserted),
      updated_at: formatTimestamp(moved ?? inserted),
      response_provided_at: formatTimestamp(inserted - random.integer(3_000)),
    };
    yield `${JSON.stringify({ id, ...times, ...fields })}\n`;
    index++;
  }
}

/** Import lines of their questions, published at the start of the window. @throws {RangeError} unless `from` is before `to` */
export function* generateQuestions(options: Pick<GenerateOptions, "from" | "to"> = {}): Generator<string> {
  const began = formatTimestamp(windowOf(options).from);
  for (const question of QUESTIONS) {
    const record = {
      id: question.id,
      prompt: question.prompt,
      type: question.type,
      submit_text: "Submit",
      allow_other: question.allowOther,
      ...(question.allowOther && { other_placeholder: "Tell us more" }),
      randomize_responses: question.type === "single_response",
      max_responses: question.type === "multi_response" ? 3 : 1,
      customer_type: question.customerType,
      frequency_type: question.customerType === "new" ? "once" : "always",
      published_at: began,
      inserted_at: began,
      updated_at: began,
      responses: question.options.map(({ id, value, clarification }) => ({
        id,
        value,
        clarification_question: clarification ?? null,
      })),
    };
    yield `${JSON.stringify(record)}\n`;
  }
}

function windowOf({ from, to = DEFAULT_TO }: Pick<GenerateOptions, "from" | "to">): Window {
  const begin = from ?? to - YEAR;
  if (!(begin < to)) throw new RangeError("the time window is empty: --from must be before --to");
  return { from: begin, to };
}

/** An id like those of imports: `res_` and the 32 hexadecimal digits of a UUID version 7 (RFC 9562). */
function responseId(instant: number, random: Uint8Array): string {
  const tail = Buffer.from(random);
  tail[0] = 0x70 | ((tail[0] ?? 0) & 0x0f);
  tail[2] = 0x80 | ((tail[2] ?? 0) & 0x3f);
  return `res_${instant.toString(16).padStart(12, "0")}${tail.toString("hex")}`;
}

function answerFields(random: Random): Record<string, unknown> {
  const question = random.chance(0.5) ? firstQuestion() : random.pick(QUESTIONS);
  const asked = { question_id: question.id, question: question.prompt, question_type: question.type };
  return { ...asked, ...choice(question, random), ...referringFields(question) };
}

function recategorized(fields: Record<string, unknown>, random: Random): Record<string, unknown> {
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

function orderFields(index: number, random: Random): Record<string, unknown> {
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
