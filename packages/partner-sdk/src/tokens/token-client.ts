import type { Clock } from "../clock.ts";
import {
  AnswerLost,
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  type PartnerConnectError,
  ReconnectRequired,
  TokenLimitReached,
  Unavailable,
} from "../errors/index.ts";
import type { IssuedTokens, TokenCall, TokenOutcome } from "./token-endpoint.ts";
import type { TokenTurns } from "./token-turns.ts";

export interface TokenClientOptions {
  readonly call: TokenCall;
  readonly turns: TokenTurns;
  readonly clock: Clock;
}

/** How long the same call is repeated. */
const REPEAT_MS = 45_000;

/** The two grants, repeated where repeating is safe, within the limit of token calls. */
export class TokenClient {
  readonly #options: TokenClientOptions;

  constructor(options: TokenClientOptions) {
    this.#options = options;
  }

  /** @throws {AnswerLost | InvalidGrant | InvalidClient | InvalidRequest | TokenLimitReached | Unavailable} */
  async exchange(code: string, redirectUri: string, codeVerifier: string): Promise<IssuedTokens> {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    return await this.#repeated(null, form);
  }

  /** @throws {ReconnectRequired | InvalidGrant | InvalidClient | InvalidRequest | TokenLimitReached | Unavailable} */
  async refresh(connectionId: string, refreshToken: string): Promise<IssuedTokens> {
    return await this.#repeated(connectionId, { grant_type: "refresh_token", refresh_token: refreshToken });
  }

  async #repeated(connectionId: string | null, form: Readonly<Record<string, string>>): Promise<IssuedTokens> {
    const { call, turns, clock } = this.#options;
    const until = clock.now() + REPEAT_MS;
    let first = connectionId === null;
    let lost = false;
    for (;;) {
      const outcome = await turns.run(connectionId, () => call(form), first);
      if (outcome.outcome === "issued") return outcome.tokens;
      if (outcome.outcome === "refused") throw refusal(connectionId, outcome, lost);
      if (outcome.outcome === "limited") turns.pause(outcome.retryAfterSeconds);
      else lost = true;
      if (clock.now() + outcome.retryAfterSeconds * 1000 > until) throw later(connectionId, outcome);
      if (outcome.outcome === "lost") await clock.sleep(outcome.retryAfterSeconds * 1000);
      first = true;
    }
  }
}

type Refused = Extract<TokenOutcome, { outcome: "refused" }>;

function refusal(connectionId: string | null, refused: Refused, lost: boolean): PartnerConnectError {
  const { error, description, requestId } = refused;
  switch (error) {
    case "invalid_client":
      return new InvalidClient(`the client was refused: ${description}`, { requestId });
    case "invalid_grant":
      if (connectionId === null) {
        if (lost)
          return new AnswerLost("the answer with the tokens was lost: the merchant must connect again", { requestId });
      } else if (description === "refresh token expired" || description === "grant revoked") {
        return new ReconnectRequired(connectionId, description, { requestId });
      }
      return new InvalidGrant(connectionId, description, { requestId });
    default:
      return new InvalidRequest(`${error}: ${description}`, null, { requestId });
  }
}

function later(
  connectionId: string | null,
  outcome: Extract<TokenOutcome, { outcome: "limited" | "lost" }>,
): PartnerConnectError {
  const { retryAfterSeconds, requestId } = outcome;
  if (outcome.outcome === "limited") {
    return new TokenLimitReached(connectionId, retryAfterSeconds, "this address is over its limit of token calls");
  }
  return new Unavailable("the token endpoint gave no usable answer", retryAfterSeconds, {
    requestId,
    cause: outcome.cause,
  });
}
