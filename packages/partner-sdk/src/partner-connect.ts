import {
  type AuthorizationOptions,
  type BegunAuthorization,
  beginAuthorization,
} from "./authorization/begin-authorization.ts";
import { checkCallback } from "./authorization/callback.ts";
import { Completions } from "./authorization/completions.ts";
import type { PendingAuthorization } from "./authorization/pending-authorization.ts";
import { baseUrl } from "./base-url.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Credential } from "./credential.ts";
import { follow } from "./follow/follow.ts";
import type { FollowOptions } from "./follow/follow-options.ts";
import { checkedCredential } from "./misuse.ts";
import { type ListConnections, PartnerApi, type ReadChanges } from "./partner-api/partner-api.ts";
import type { ChangesPage, ListedConnection } from "./partner-api/records.ts";
import type { PartnerConnectOptions } from "./partner-connect-options.ts";
import { watchedFetch } from "./reach.ts";
import type { CallOptions } from "./shop/call-parameters.ts";
import { ShopClient } from "./shop/shop-client.ts";
import type { StoredConnection } from "./stores/connection-store.ts";
import { StoredConnections } from "./stores/stored-connections.ts";
import { codeGrant } from "./tokens/grants.ts";
import { RefreshBatches } from "./tokens/refresh-batches.ts";
import { SharedTokens } from "./tokens/shared-tokens.ts";
import { sendGrant } from "./tokens/token-client.ts";
import { tokenEndpoint } from "./tokens/token-endpoint.ts";
import { TokenSource, type TokenSourceOptions } from "./tokens/token-refresh.ts";
import { TokenTurns } from "./tokens/token-turns.ts";

/** A partner's way to its merchants' shops. Make one for each process: it keeps the limit of token calls. */
export class PartnerConnect {
  readonly #server: { readonly baseUrl: string; readonly issuer: string; readonly apiUrl: string };
  readonly #clientId: string;
  readonly #connections: StoredConnections;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #tokenSources: Omit<TokenSourceOptions, "connectionId">;
  readonly #sources = new Map<string, TokenSource>();
  readonly #completions: Completions;
  readonly #api: PartnerApi;

  /** @throws {InvalidBaseUrl | InvalidRequest} `param` of the latter names the option that can't be right */
  constructor(options: PartnerConnectOptions) {
    const { tokenCallsPerMinute = 10, tokenWaitSeconds = 60 } = options;
    const clientId = checkedCredential("clientId", options.clientId);
    const clientSecret = checkedCredential("clientSecret", options.clientSecret);
    const base = baseUrl(options.baseUrl);
    this.#server = { baseUrl: base, issuer: options.issuer ?? base, apiUrl: baseUrl(options.apiUrl ?? base) };
    this.#clientId = clientId;
    this.#connections = new StoredConnections(options.store);
    this.#fetch = watchedFetch(options.fetch);
    this.#clock = options.clock ?? systemClock;
    const clock = this.#clock;
    const tokens = {
      call: tokenEndpoint({ baseUrl: base, clientId, clientSecret, fetch: this.#fetch }),
      turns: new TokenTurns({ perMinute: tokenCallsPerMinute, longestWaitMs: tokenWaitSeconds * 1000, clock }),
      clock,
    };
    const shared = new SharedTokens(options.store);
    this.#api = new PartnerApi({ baseUrl: base, clientId, clientSecret, fetch: this.#fetch, clock });
    const refreshes = new RefreshBatches(tokens);
    this.#tokenSources = { connections: this.#connections, shared, refreshes, clock };
    this.#completions = new Completions({
      async exchange(callback) {
        const { answer, askedAt } = await sendGrant(tokens, codeGrant(callback));
        return { ...answer, askedAt };
      },
      connection: ({ accessToken }) =>
        this.#client({ authorization: async () => `Bearer ${accessToken}` }).connection(),
      keep: async (connection, issued) => {
        await this.#connections.put(connection);
        await this.#source(connection.id).adopt(issued, connection.refreshToken);
      },
    });
  }

  /** The link to send a merchant's browser to, and what to keep in their session until it comes back. @throws {InvalidRequest} for a scope that is none */
  async beginAuthorization(options: AuthorizationOptions): Promise<BegunAuthorization> {
    const server = { baseUrl: this.#server.baseUrl, clientId: this.#clientId, now: this.#clock.now() };
    return await beginAuthorization(server, options);
  }

  /**
   * Checks the callback, gets the tokens, asks which shop it is, and stores the connection before it returns. After an error that passes
   * call it again with the same arguments: it goes on where it was, for ten minutes in this process.
   * @param callbackUrl the address that the browser came to; its path and query are enough
   * @param pending what `beginAuthorization` gave, from this user's session
   * @throws {MissingVerifier | StateMismatch | IssuerMismatch} the callback is not to be trusted; nothing was sent
   * @throws {AuthorizationDenied} the merchant said no
   * @throws {InvalidGrant | AnswerLost} the code was used, or is older than five minutes, or its answer was lost: begin again
   * @throws {InvalidClient | InvalidRequest} your configuration is wrong
   * @throws {Unavailable | StoreFailed | TokenLimitReached} call again
   */
  async completeAuthorization(
    callbackUrl: string | URL,
    pending: PendingAuthorization | null | undefined,
  ): Promise<StoredConnection> {
    const callback = checkCallback(callbackUrl, pending, this.#server.issuer);
    return await this.#completions.finish(callback, this.#clock.now());
  }

  /** The API for the shop of a connection in your store. Nothing is asked yet. */
  shop(connectionId: string): ShopClient {
    return this.#client(this.#source(connectionId));
  }

  /** The connections that your store has. */
  connections(): AsyncGenerator<StoredConnection, void, undefined> {
    return this.#connections.list();
  }

  /** All connections of your client, as the server knows them: also those that have ended, and those that your store has lost. */
  listConnections(options: ListConnections = {}): AsyncGenerator<ListedConnection, void, undefined> {
    return this.#api.connections(options);
  }

  /** What is new in any of your shops since `after`, by connection and kind. @throws {CursorExpired} */
  async changes(options: ReadChanges = {}): Promise<ChangesPage> {
    return await this.#api.changes(options);
  }

  /**
   * Keeps your copies of all connected shops in sync, until `signal`: it reads the feed of changes, and of each shop what it names. It may
   * be killed at any point. Connections that begin are copied by themselves.
   */
  async follow(options: FollowOptions): Promise<void> {
    const source = {
      clock: this.#clock,
      changes: (read: ReadChanges) => this.#api.changes(read),
      connections: () => this.#connections.list(),
      connected: (signal: AbortSignal) => this.#api.connections({ status: "connected", signal }),
      shop: (id: string) => this.shop(id),
      prepare: (id: string) => this.#source(id).expectConnected(),
    };
    await follow(source, options);
  }

  /**
   * Ends a connection: at the server at once, as the merchant's 'Disconnect' does, and then in your store. Delete the shop's data too. If
   * it fails, call it again.
   * @throws {UnknownConnection | StoreFailed | Unavailable | InvalidClient}
   */
  async disconnect(connectionId: string, { signal }: CallOptions = {}): Promise<void> {
    const { refreshToken } = await this.#connections.get(connectionId);
    await this.#api.revoke(refreshToken, signal);
    await this.forget(connectionId);
  }

  /** Deletes the connection from your store, and no more: its refresh token lapses after 30 days. @throws {StoreFailed} */
  async forget(connectionId: string): Promise<void> {
    await this.#connections.delete(connectionId);
    this.#sources.get(connectionId)?.end();
    this.#sources.delete(connectionId);
  }

  #source(connectionId: string): TokenSource {
    let source = this.#sources.get(connectionId);
    if (!source) {
      source = new TokenSource({ ...this.#tokenSources, connectionId });
      this.#sources.set(connectionId, source);
    }
    return source;
  }

  #client(credential: Credential): ShopClient {
    return new ShopClient({ apiUrl: this.#server.apiUrl, credential, fetch: this.#fetch, clock: this.#clock });
  }
}
