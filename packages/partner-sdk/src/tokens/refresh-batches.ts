import { TokenLimitReached, Unavailable } from "../errors/index.ts";
import { refusedRefresh, refusedRequest } from "./grants.ts";
import { type Answered, REPEAT_MS, sendGrant, type TokenClient } from "./token-client.ts";
import { type IssuedTokens, issuedTokens, type TokenRequest } from "./token-endpoint.ts";

type Results = readonly Readonly<Record<string, unknown>>[];

/** A refresh that waits for its answer. */
interface Refresh {
  readonly connectionId: string;
  readonly refreshToken: string;
  readonly resolve: (tokens: IssuedTokens) => void;
  readonly reject: (error: unknown) => void;
  /** When the server first said that it can't answer for this one now. */
  failedAt?: number;
}

/** What one call of the server takes. */
const MOST = 1000;

/** A batch waits for others that ask in the same moment: longer, the fewer token calls are left in this minute. */
const LEAST_WAIT_MS = 10;
const DOUBLINGS = 10;

/** Gets access tokens for all connections that want one, together: up to 1,000 in one call, which counts as one. */
export class RefreshBatches {
  readonly #client: TokenClient;
  /** Not sent yet: a refresh that comes meanwhile goes with it. */
  #gathering: Refresh[] | null = null;

  constructor(client: TokenClient) {
    this.#client = client;
  }

  /** @throws {PartnerConnectError} what the server says of this refresh token, or of the client; {TokenLimitReached | Unavailable} */
  refresh(connectionId: string, refreshToken: string): Promise<IssuedTokens> {
    return new Promise((resolve, reject) => this.#add({ connectionId, refreshToken, resolve, reject }));
  }

  #add(refresh: Refresh): void {
    if (this.#gathering && this.#gathering.length < MOST) {
      this.#gathering.push(refresh);
      return;
    }
    const batch = [refresh];
    this.#gathering = batch;
    void this.#send(batch);
  }

  async #send(batch: readonly Refresh[]): Promise<void> {
    const close = () => {
      if (this.#gathering === batch) this.#gathering = null;
    };
    // Of this process's time, as what is waited for are its own steps.
    await new Promise((go) => setTimeout(go, LEAST_WAIT_MS * 2 ** (DOUBLINGS * this.#client.turns.taken())));
    try {
      const answered = await sendGrant(this.#client, {
        urgent: false,
        request() {
          close();
          return batchRequest(batch.map(({ refreshToken }) => String(refreshToken)));
        },
        refusal: refusedRequest,
      });
      batch.forEach((refresh, index) => void this.#settle(refresh, answered, index));
    } catch (error) {
      close();
      for (const { connectionId, reject } of batch) reject(ofConnection(connectionId, error));
    }
  }

  /** What was said of one token concerns its connection alone. */
  async #settle(refresh: Refresh, { answer, askedAt, requestId }: Answered<Results>, index: number): Promise<void> {
    const { connectionId, resolve, reject } = refresh;
    const result = answer[index] ?? {};
    const tokens = issuedTokens(result);
    if (tokens) return resolve({ ...tokens, askedAt });
    const { error, error_description: description, retry_after: retryAfter } = result;
    if (typeof error === "string" && error !== "temporarily_unavailable") {
      const text = typeof description === "string" ? description : error;
      return reject(refusedRefresh(connectionId, { outcome: "refused", error, description: text, requestId }));
    }
    const { clock } = this.#client;
    const seconds = Math.max(1, Number(retryAfter) || 0);
    refresh.failedAt ??= askedAt;
    if (clock.now() + seconds * 1000 > refresh.failedAt + REPEAT_MS) {
      return reject(new Unavailable("no access token can be had for this shop now", seconds, { requestId }));
    }
    await clock.sleep(seconds * 1000);
    this.#add(refresh);
  }
}

function batchRequest(tokens: readonly string[]): TokenRequest<Results> {
  return {
    path: "/batch",
    body: { refresh_tokens: tokens },
    read: ({ results }) => {
      if (!Array.isArray(results) || results.length !== tokens.length) return null;
      return results.map((result) => Object(result));
    },
  };
}

function ofConnection(connectionId: string, error: unknown): unknown {
  if (!(error instanceof TokenLimitReached)) return error;
  return new TokenLimitReached(connectionId, error.retryAfterSeconds, error.message);
}
