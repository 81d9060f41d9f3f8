import {
  type AuthorizationOptions,
  type BegunAuthorization,
  beginAuthorization,
} from "./authorization/begin-authorization.ts";
import { checkCallback } from "./authorization/callback.ts";
import type { PendingAuthorization } from "./authorization/pending-authorization.ts";
import { baseUrl } from "./base-url.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Credential } from "./credential.ts";
import { StoreFailed, Unavailable } from "./errors/index.ts";
import type { PartnerConnectOptions } from "./partner-connect-options.ts";
import { ShopClient } from "./shop/shop-client.ts";
import type { ConnectionStore, StoredConnection } from "./stores/connection-store.ts";
import { TokenClient } from "./tokens/token-client.ts";
import { tokenEndpoint } from "./tokens/token-endpoint.ts";
import { TokenSource } from "./tokens/token-source.ts";
import { TokenTurns } from "./tokens/token-turns.ts";

/** A partner's way to its merchants' shops. Make one for each process: it keeps the limit of token calls. */
export class PartnerConnect {
  readonly #baseUrl: string;
  readonly #apiUrl: string;
  readonly #issuer: string;
  readonly #clientId: string;
  readonly #store: ConnectionStore;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #tokens: TokenClient;
  readonly #sources = new Map<string, TokenSource>();

  /** @throws {InvalidBaseUrl} */
  constructor(options: PartnerConnectOptions) {
    this.#baseUrl = baseUrl(options.baseUrl);
    this.#apiUrl = baseUrl(options.apiUrl ?? options.baseUrl);
    this.#issuer = options.issuer ?? this.#baseUrl;
    this.#clientId = options.clientId;
    this.#store = options.store;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#clock = options.clock ?? systemClock;
    const { tokenCallsPerMinute = 10, tokenWaitSeconds = 60 } = options;
    this.#tokens = new TokenClient({
      call: tokenEndpoint({
        baseUrl: this.#baseUrl,
        clientId: options.clientId,
        clientSecret: options.clientSecret,
        fetch: this.#fetch,
      }),
      turns: new TokenTurns({
        perMinute: tokenCallsPerMinute,
        longestWaitMs: tokenWaitSeconds * 1000,
        clock: this.#clock,
      }),
      clock: this.#clock,
    });
  }

  /** The link to send a merchant's browser to, and what to keep in their session until it comes back. */
  async beginAuthorization(options: AuthorizationOptions): Promise<BegunAuthorization> {
    const server = { baseUrl: this.#baseUrl, clientId: this.#clientId, now: this.#clock.now() };
    return await beginAuthorization(server, options);
  }

  /** Checks the callback, gets the tokens, asks which shop it is, and stores the connection. */
  async completeAuthorization(
    callbackUrl: string | URL,
    pending: PendingAuthorization | null | undefined,
  ): Promise<StoredConnection> {
    const { code, redirectUri, codeVerifier } = checkCallback(callbackUrl, pending, this.#issuer);
    const askedAt = this.#clock.now();
    const tokens = await this.#tokens.exchange(code, redirectUri, codeVerifier);
    const authorization = `Bearer ${tokens.accessToken}`;
    const { id, shop, connected_at } = await this.#client({ authorization: async () => authorization }).connection();
    if (id === null || connected_at === null || tokens.refreshToken === null) {
      throw new Unavailable("the server did not say which connection this is", 1);
    }
    const stored = { id, shop, scope: tokens.scope, refreshToken: tokens.refreshToken, connectedAt: connected_at };
    await this.#store.put(stored).catch((cause) => {
      throw new StoreFailed("the store could not keep the connection", { cause });
    });
    this.#source(id).adopt(tokens, askedAt);
    return stored;
  }

  /** The client of a connection in the store. */
  shop(connectionId: string): ShopClient {
    return this.#client(this.#source(connectionId));
  }

  #source(connectionId: string): TokenSource {
    let source = this.#sources.get(connectionId);
    if (!source) {
      source = new TokenSource({ connectionId, store: this.#store, tokens: this.#tokens, clock: this.#clock });
      this.#sources.set(connectionId, source);
    }
    return source;
  }

  #client(credential: Credential): ShopClient {
    return new ShopClient({ apiUrl: this.#apiUrl, credential, fetch: this.#fetch, clock: this.#clock });
  }
}
