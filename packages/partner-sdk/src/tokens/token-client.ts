import type { Clock } from "../clock.ts";
import { type PartnerConnectError, TokenLimitReached, Unavailable } from "../errors/index.ts";
import type { IssuedTokens, Lost, Refused, TokenCall } from "./token-endpoint.ts";
import type { TokenTurns, TurnRequest } from "./token-turns.ts";

export interface TokenClient {
  readonly call: TokenCall;
  readonly turns: TokenTurns;
  readonly clock: Clock;
}

/** One call of the token endpoint, which may be sent several times. */
export interface TokenGrant {
  /** Null for the exchange of a code. */
  readonly connectionId: string | null;
  readonly form: Readonly<Record<string, string>>;
  /** @param lost whether an answer to the same call was lost before */
  refusal(refused: Refused, lost: boolean): PartnerConnectError;
}

/** A code may be sent again within the minute after its exchange. Refreshes could be repeated for longer. */
const REPEAT_MS = 45_000;
const MOST_LIMITED = 3;

/**
 * Calls the token endpoint within its limit, again while that is of use. @throws {PartnerConnectError} `grant.refusal`, {@link
 * TokenLimitReached} or {@link Unavailable}
 */
export async function sendGrant({ call, turns, clock }: TokenClient, grant: TokenGrant): Promise<IssuedTokens> {
  let request: TurnRequest = { connectionId: grant.connectionId, urgent: grant.connectionId === null };
  let firstLost: number | null = null;
  let pauseMs = 1000;
  for (let limited = 0; ; ) {
    const asked = await turns.run(request, async () => ({ at: clock.now(), outcome: await call(grant.form) }));
    const { outcome } = asked;
    switch (outcome.outcome) {
      case "issued":
        turns.pause(outcome.pauseSeconds);
        return { ...outcome.tokens, askedAt: asked.at };
      case "refused":
        throw grant.refusal(outcome, firstLost !== null);
      case "limited":
        turns.pause(outcome.retryAfterSeconds);
        if (++limited === MOST_LIMITED) throw overLimit(grant.connectionId, outcome.retryAfterSeconds);
        break;
      case "lost": {
        firstLost ??= asked.at;
        const waitMs = Math.max(pauseMs, (outcome.retryAfterSeconds ?? 0) * 1000);
        if (clock.now() + waitMs > firstLost + REPEAT_MS) throw unavailable(outcome, waitMs);
        await clock.sleep(waitMs);
        pauseMs *= 2;
      }
    }
    request = { connectionId: grant.connectionId, urgent: true };
  }
}

function overLimit(connectionId: string | null, seconds: number): TokenLimitReached {
  const message = `the address that you call from is over its limit of token calls for ${seconds} s: do other programs use it?`;
  return new TokenLimitReached(connectionId, seconds, message);
}

function unavailable({ cause, requestId }: Lost, waitMs: number): Unavailable {
  return new Unavailable("the token endpoint gave no usable answer", Math.ceil(waitMs / 1000), { cause, requestId });
}
