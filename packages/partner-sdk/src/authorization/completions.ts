import { Unavailable } from "../errors/index.ts";
import type { ConnectionRecord } from "../records.ts";
import type { StoredConnection } from "../stores/connection-store.ts";
import type { IssuedTokens } from "../tokens/token-endpoint.ts";
import type { CheckedCallback } from "./callback.ts";

export interface CompletionSteps {
  exchange(callback: CheckedCallback): Promise<IssuedTokens>;
  connection(tokens: IssuedTokens): Promise<ConnectionRecord>;
  /** Stores it, and from then on uses the tokens. */
  keep(connection: StoredConnection, tokens: IssuedTokens): Promise<void>;
}

/** An authorization on its way from the code to the store. What has failed is null, so that it is tried again. */
interface Completion {
  readonly until: number;
  tokens: Promise<IssuedTokens> | null;
  connection: Promise<StoredConnection> | null;
}

/** Longer than a merchant reloads a page that said 'try again'. The access token lives no longer either. */
const KEPT_MS = 10 * 60_000;

/**
 * The authorizations that were completed a short while ago, or are being completed. A callback that comes twice goes on where the first one
 * is: its code is not sent again, and its tokens are not lost when only the store or the API failed.
 */
export class Completions {
  readonly #steps: CompletionSteps;
  readonly #begun = new Map<string, Completion>();

  constructor(steps: CompletionSteps) {
    this.#steps = steps;
  }

  /** @throws {Unavailable} when the server doesn't say which connection it is, and what the steps throw */
  async finish(callback: CheckedCallback, now: number): Promise<StoredConnection> {
    for (const [state, { until }] of this.#begun) if (until <= now) this.#begun.delete(state);
    const completion = this.#begun.get(callback.state) ?? { until: now + KEPT_MS, tokens: null, connection: null };
    this.#begun.set(callback.state, completion);
    completion.connection ??= this.#connect(completion, callback).catch((error) => {
      completion.connection = null;
      throw error;
    });
    return await completion.connection;
  }

  async #connect(completion: Completion, callback: CheckedCallback): Promise<StoredConnection> {
    completion.tokens ??= this.#steps.exchange(callback).catch((error) => {
      completion.tokens = null;
      throw error;
    });
    const tokens = await completion.tokens;
    const { id, shop, connected_at: connectedAt } = await this.#steps.connection(tokens);
    const { refreshToken, scope } = tokens;
    if (refreshToken === null || id === null || connectedAt === null) {
      throw new Unavailable("the server did not say which connection this is", 1);
    }
    const { name, domain, plan } = shop;
    const connection = { id, shop: { id: shop.id, name, domain, plan }, scope, refreshToken, connectedAt };
    await this.#steps.keep(connection, tokens);
    return connection;
  }
}
