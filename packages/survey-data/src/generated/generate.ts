import { formatTimestamp } from "@partner-connect/contract";
import { QUESTIONS } from "./catalog.ts";
import { insertionTimes, recategorizationTime, seededRandom, type Window } from "./random.ts";
import { answerFields, orderFields, recategorized } from "./record-fields.ts";

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
