import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors/index.ts";
import { NoAnswer } from "../reach.ts";

const MOST_ATTEMPTS = 8;

/** Where nothing answers and nothing ever has: the address is most likely wrong, and this takes less than a second. */
const MOST_ATTEMPTS_IN_VAIN = 3;

/** Who is told to come back later than this is told so at once. */
const LONGEST_WAIT_SECONDS = 120;

const FIRST_PAUSE_MS = 200;

/** A call that should be made again: there was no whole answer, or it was 429 or 5xx. */
export class ComeBackLater extends Error {
  /** As `retry-after` says, or null. */
  readonly seconds: number | null;
  readonly requestId: string | undefined;

  constructor(message: string, seconds: number | null = null, options: ErrorOptions & { requestId?: string } = {}) {
    super(message, options);
    this.seconds = seconds;
    this.requestId = options.requestId;
  }
}

/** How long one call is repeated: it waits as long as the API says, and without a word from it twice as long each time. */
export class Patience {
  readonly #clock: Clock;
  #failed = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws {Unavailable} when that was the last attempt, or the wait would be too long */
  async wait(failure: ComeBackLater, signal: AbortSignal | undefined): Promise<void> {
    this.#failed += 1;
    const { seconds, requestId } = failure;
    const isMisplaced = failure.cause instanceof NoAnswer && failure.cause.isMisplaced;
    const most = isMisplaced ? MOST_ATTEMPTS_IN_VAIN : MOST_ATTEMPTS;
    if (this.#failed >= most || (seconds ?? 0) > LONGEST_WAIT_SECONDS) {
      throw new Unavailable(failure.message, seconds ?? 60, { cause: failure.cause, requestId });
    }
    const pause = FIRST_PAUSE_MS * 2 ** (this.#failed - 1);
    // Apart from each other, so that the callers who were told the same don't come back in the same moment.
    const ms = seconds === null ? pause * (0.5 + Math.random() / 2) : seconds * 1000 + Math.random() * 250;
    await this.#clock.sleep(ms, signal);
  }
}

/** Seconds of `retry-after`: a number, or a date (RFC 9110 §10.2.3). */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(Math.ceil((at - now) / 1000), 0);
}
