import type { Clock } from "../clock.ts";
import { type PartnerConnectError, TokenLimitReached, Unavailable } from "../errors/index.ts";
import { NoAnswer } from "../reach.ts";
import type { Lost, Refused, TokenCall, TokenRequest } from "./token-endpoint.ts";
import type { TokenTurns } from "./token-turns.ts";

export interface TokenClient {
  readonly call: TokenCall;
  readonly turns: TokenTurns;
  readonly clock: Clock;
}

/** One call of the token endpoint, which may be sent several times. */
export interface TokenGrant<T> {
  /** Whether a merchant waits for it. */
  readonly urgent: boolean;
  /** Asked when its turn has come. */
  request(): TokenRequest<T>;
  /** @param lost whether an answer to the same call was lost before */
  refusal(refused: Refused, lost: boolean): PartnerConnectError;
}

/** An answer, and when the request was sent that it is to: milliseconds since 1970. */
export interface Answered<T> {
  readonly answer: T;
  readonly askedAt: number;
  readonly requestId: string | undefined;
}

/** A code may be sent again within the minute after its exchange. Refreshes could be repeated for longer. */
export const REPEAT_MS = 45_000;
const MOST_LIMITED = 3;

/**
 * Calls the token endpoint within its limit, again while that is of use. @throws {PartnerConnectError} `grant.refusal`, {@link
 * TokenLimitReached} or {@link Unavailable}
 */
export async function sendGrant<T>({ call, turns, clock }: TokenClient, grant: TokenGrant<T>): Promise<Answered<T>> {
  let { urgent } = grant;
  let firstLost: number | null = null;
  let pauseMs = 1000;
  for (let limited = 0; ; ) {
    const asked = await turns.run(urgent, async () => ({ at: clock.now(), outcome: await call(grant.request()) }));
    const { outcome } = asked;
    switch (outcome.outcome) {
      case "answered":
        turns.pause(outcome.pauseSeconds);
        return { answer: outcome.answer, askedAt: asked.at, requestId: outcome.requestId };
      case "refused":
        throw grant.refusal(outcome, firstLost !== null);
      case "limited":
        turns.pause(outcome.retryAfterSeconds);
        if (++limited === MOST_LIMITED) throw overLimit(outcome.retryAfterSeconds);
        break;
      case "lost": {
        firstLost ??= asked.at;
        const waitMs = Math.max(pauseMs, (outcome.retryAfterSeconds ?? 0) * 1000);
        // Once more, as a server may be about to start. An address that has never answered is most likely wrong.
        const isMisplaced = outcome.cause instanceof NoAnswer && outcome.cause.isMisplaced && firstLost !== asked.at;
        if (isMisplaced || clock.now() + waitMs > firstLost + REPEAT_MS) throw unavailable(outcome, waitMs);
        await clock.sleep(waitMs);
        pauseMs *= 2;
      }
    }
    urgent = true;
  }
}

function overLimit(seconds: number): TokenLimitReached {
  const message = `the address that you call from is over its limit of token calls for ${seconds} s: do other programs use it?`;
  return new TokenLimitReached(null, seconds, message);
}

function unavailable({ cause, requestId }: Lost, waitMs: number): Unavailable {
  const why = cause instanceof NoAnswer ? `: ${cause.message}` : "";
  return new Unavailable(`the token endpoint gave no usable answer${why}`, Math.ceil(waitMs / 1000), {
    cause,
    requestId,
  });
}
