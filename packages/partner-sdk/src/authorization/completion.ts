import { Unavailable } from "../errors/index.ts";
import type { ConnectionRecord } from "../records.ts";
import type { StoredConnection } from "../stores/connection-store.ts";
import type { IssuedTokens } from "../tokens/token-outcome.ts";
import type { CheckedCallback } from "./callback.ts";

/** What completing an authorization needs of the rest. */
export interface CompletionSteps {
  exchange(callback: CheckedCallback): Promise<IssuedTokens>;
  /** Which connection the tokens are of. */
  connection(tokens: IssuedTokens): Promise<ConnectionRecord>;
  /** Stores it, and from then on uses the tokens. */
  keep(connection: StoredConnection, tokens: IssuedTokens): Promise<void>;
}

/** An authorization on its way from the code to the store. */
export class Completion {
  readonly #steps: CompletionSteps;
  #tokens: Promise<IssuedTokens> | null = null;
  #connection: Promise<StoredConnection> | null = null;

  constructor(steps: CompletionSteps) {
    this.#steps = steps;
  }

  /** May be called again: what has succeeded is not done twice. */
  async finish(callback: CheckedCallback): Promise<StoredConnection> {
    this.#connection ??= this.#finish(callback).catch((error) => {
      this.#connection = null;
      throw error;
    });
    return await this.#connection;
  }

  async #finish(callback: CheckedCallback): Promise<StoredConnection> {
    this.#tokens ??= this.#steps.exchange(callback).catch((error) => {
      this.#tokens = null;
      throw error;
    });
    const tokens = await this.#tokens;
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
