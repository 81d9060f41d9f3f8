import type { ApiCaller, Exchange } from "./api-caller.ts";
import {
  InvalidGrant,
  InvalidRequest,
  OnHold,
  type ReconnectReason,
  ReconnectRequired,
  TokenLimitReached,
  Unavailable,
} from "./errors.ts";
import type { Clock } from "./network.ts";
import type { TokenLimit } from "./token-limit.ts";

export interface CheckedCallback {
  readonly state: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly scope: string;
  /** Null after a refresh, which returns none. */
  readonly refreshToken: string | null;
  /** Milliseconds since 1970, like `renewAt` and `expiresAt`. */
  readonly issuedAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** The result for one token: RFC 6749 §5.1 or §5.2. */
type Result = Readonly<Record<string, unknown>>;

interface Refresh {
  readonly connectionId: string;
  readonly refreshToken: string;
  readonly resolve: (tokens: IssuedTokens) => void;
  readonly reject: (error: unknown) => void;
  /** When the server first failed to answer for this token. */
  failedAt?: number;
}

const MAX_BATCH = 1000;
const REPEAT_MS = 45_000;
const RENEW_EARLY_MS = 60_000;
const RECONNECT_REASONS: readonly ReconnectReason[] = [
  "refresh token expired",
  "grant revoked",
  "superseded by a newer authorization",
];

/** Requests the ids of all connections on hold. Called at most once for a batch. */
type FindOnHold = () => Promise<ReadonlySet<string>>;

/** Exchanges codes, and refreshes the tokens of many connections in batches. */
export class TokenClient {
  readonly #caller: ApiCaller;
  readonly #findOnHold: FindOnHold;
  readonly #limit: TokenLimit;
  readonly #clock: Clock;
  /** The batch that is not sent yet. */
  #batch: Refresh[] | null = null;

  /** @param caller counts its calls in `limit` */
  constructor(caller: ApiCaller, findOnHold: FindOnHold, limit: TokenLimit, clock: Clock) {
    this.#caller = caller;
    this.#findOnHold = findOnHold;
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * @throws {InvalidGrant | AnswerLost | InvalidClient | InvalidRequest | TokenLimitReached |
   * Unavailable}
   */
  async exchange(
    { code, redirectUri, codeVerifier }: CheckedCallback,
    exchange: Exchange,
  ): Promise<IssuedTokens> {
    const grant = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    const form = new URLSearchParams(grant);
    const isWhole = (json: Result) =>
      typeof json["refresh_token"] === "string" && issuedTokens(json, 0) !== null;
    const { json, sentAt } = await this.#caller.request<Result>({
      path: "/oauth/api/token",
      form,
      exchange,
      isWhole,
    });
    return issuedTokens(json, sentAt) as IssuedTokens;
  }

  /**
   * @throws {ReconnectRequired | OnHold | InvalidGrant | InvalidClient | InvalidRequest |
   * TokenLimitReached | Unavailable}
   */
  refresh(connectionId: string, refreshToken: string): Promise<IssuedTokens> {
    return new Promise((resolve, reject) =>
      this.#add({ connectionId, refreshToken, resolve, reject }),
    );
  }

  #add(refresh: Refresh): void {
    if (this.#batch && this.#batch.length < MAX_BATCH) {
      this.#batch.push(refresh);
      return;
    }
    const batch = [refresh];
    this.#batch = batch;
    // Waits 10 ms to 10 s for more refreshes to join: the fewer calls are left this minute, the longer.
    setTimeout(() => void this.#send(batch), 10 * 2 ** (10 * this.#limit.usedFraction()));
  }

  async #send(batch: readonly Refresh[]): Promise<void> {
    const close = () => {
      if (this.#batch === batch) this.#batch = null;
    };
    try {
      const { json, sentAt, requestId } = await this.#caller.request<{
        readonly results: readonly Result[];
      }>({
        path: "/oauth/api/token/batch",
        body() {
          close();
          return { refresh_tokens: batch.map(({ refreshToken }) => String(refreshToken)) };
        },
        isWhole: ({ results }) => Array.isArray(results) && results.length === batch.length,
      });
      let onHold: ReturnType<FindOnHold> | undefined;
      const findOnHold = () => (onHold ??= this.#findOnHold());
      batch.forEach((refresh, index) => {
        const result = Object(json.results[index]);
        this.#settle(refresh, result, sentAt, requestId, findOnHold).catch(refresh.reject);
      });
    } catch (error) {
      close();
      for (const { connectionId, reject } of batch) {
        const isLimit = error instanceof TokenLimitReached;
        reject(
          isLimit
            ? new TokenLimitReached(connectionId, error.retryAfterSeconds, error.message)
            : error,
        );
      }
    }
  }

  /** Resolves, rejects or repeats one refresh, whose error affects no other connection. */
  async #settle(
    refresh: Refresh,
    result: Result,
    sentAt: number,
    requestId: string | undefined,
    findOnHold: FindOnHold,
  ): Promise<void> {
    const { connectionId, resolve, reject } = refresh;
    const tokens = issuedTokens(result, sentAt);
    if (tokens) return resolve(tokens);
    const error = String(result["error"] ?? "temporarily_unavailable");
    const description = String(result["error_description"] ?? error);
    if (error !== "temporarily_unavailable") {
      const reason = RECONNECT_REASONS.find((one) => one === description);
      if (error !== "invalid_grant")
        return reject(new InvalidRequest(`${error}: ${description}`, null, { requestId }));
      if (reason === "grant revoked" && (await findOnHold()).has(connectionId))
        return reject(new OnHold(connectionId, { requestId }));
      if (reason) return reject(new ReconnectRequired(connectionId, reason, { requestId }));
      return reject(new InvalidGrant(connectionId, description, { requestId }));
    }
    const seconds = Math.max(1, Number(result["retry_after"]) || 0);
    refresh.failedAt ??= sentAt;
    if (this.#clock.now() + seconds * 1000 > refresh.failedAt + REPEAT_MS) {
      return reject(
        new Unavailable("no access token is available for this shop", seconds, { requestId }),
      );
    }
    await this.#clock.sleep(seconds * 1000);
    this.#add(refresh);
  }
}

/**
 * The tokens in a response; null if it is incomplete. The lifetime counts from before the request,
 * so the token never expires here later than on the server.
 */
function issuedTokens(body: Result, sentAt: number): IssuedTokens | null {
  const { access_token: accessToken, expires_in: seconds, scope } = body;
  const refreshToken = typeof body["refresh_token"] === "string" ? body["refresh_token"] : null;
  if (typeof accessToken !== "string" || typeof seconds !== "number" || typeof scope !== "string")
    return null;
  const expiresAt = sentAt + seconds * 1000;
  const renewAt = expiresAt - Math.min(RENEW_EARLY_MS, seconds * 500);
  return { accessToken, scope, refreshToken, issuedAt: sentAt, renewAt, expiresAt };
}
