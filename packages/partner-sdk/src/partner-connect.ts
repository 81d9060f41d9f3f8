import { ApiCaller, type Credential, type Exchange, queryOf } from "./api-caller.ts";
import type { ChangesPage, PartnerConnection } from "./api-types.ts";
import {
  type AuthorizationOptions,
  authorizeLink,
  type BegunAuthorization,
  checkCallback,
  type PendingAuthorization,
} from "./authorization.ts";
import { checkedBaseUrl, checkedCredential } from "./checks.ts";
import { StoreFailed, Unavailable } from "./errors.ts";
import { follow } from "./follow.ts";
import type { FollowOptions } from "./follow-options.ts";
import { type Clock, systemClock, watchedFetch } from "./network.ts";
import {
  type CallOptions,
  type ListConnections,
  type ReadChanges,
  ShopClient,
} from "./shop-client.ts";
import {
  type ConnectionStore,
  callStore,
  readConnection,
  type StoredConnection,
} from "./stores.ts";
import { type CheckedCallback, type IssuedTokens, TokenClient } from "./token-client.ts";
import { TokenLimit } from "./token-limit.ts";
import { TokenSource } from "./token-source.ts";

export interface PartnerConnectOptions {
  /** The address that you were given. https, or http on this machine. */
  readonly baseUrl: string;
  /** The API hostname, if you were given one. Default: `baseUrl`. */
  readonly apiUrl?: string;
  /** The expected `iss`, if your `baseUrl` is the auth hostname. Default: `baseUrl`. */
  readonly issuer?: string;
  /** `client_…`. */
  readonly clientId: string;
  /** `pcs_…`. */
  readonly clientSecret: string;
  /** Your connections: `new SqliteStore("connections.db")`, or a table in your database. */
  readonly store: ConnectionStore;
  /** This process's share of your address's limit of token calls. Default: 10. */
  readonly tokenCallsPerMinute?: number;
  /**
   * A call that would wait longer for a token fails immediately with `TokenLimitReached`. Default:
   * 60.
   */
  readonly tokenWaitSeconds?: number;
  /** For a proxy, or to log calls. Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
  /** For tests. Default: `systemClock`. */
  readonly clock?: Clock;
}

/** An authorization being completed. A failed step is removed, so that it is retried. */
interface Completion {
  readonly until: number;
  readonly exchange: Exchange;
  tokens?: Promise<IssuedTokens> | undefined;
  /** Counts exchanges in the order of their responses. */
  number?: number;
  connection?: Promise<StoredConnection> | undefined;
}

/** How long a completion can be resumed. Merchants reload the page after a temporary error. */
const COMPLETION_MS = 10 * 60_000;

/**
 * A partner's connections to merchants' shops. Create one per process, because it enforces the
 * limit of token calls.
 */
export class PartnerConnect {
  readonly #server: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly issuer: string;
  };
  readonly #apiOptions: {
    readonly apiUrl: string;
    readonly fetch: typeof globalThis.fetch;
    readonly clock: Clock;
  };
  readonly #store: ConnectionStore;
  readonly #clock: Clock;
  readonly #client: TokenClient;
  readonly #sources = new Map<string, TokenSource>();
  /**
   * Completions by `state`. A repeated callback resumes the first one, so its code is not sent
   * twice.
   */
  readonly #completions = new Map<string, Completion>();
  #exchanges = 0;
  /** By connection: the number of the exchange whose tokens were stored last. */
  readonly #stored = new Map<string, number>();
  /** Calls authenticated with the client's credentials, by HTTP Basic. */
  readonly #api: ApiCaller;

  /** @throws {InvalidBaseUrl | InvalidRequest} `param` of the latter names the wrong option */
  constructor(options: PartnerConnectOptions) {
    const {
      tokenCallsPerMinute: perMinute = 10,
      tokenWaitSeconds = 60,
      store,
      clock = systemClock,
    } = options;
    const clientId = checkedCredential("clientId", options.clientId);
    const clientSecret = checkedCredential("clientSecret", options.clientSecret);
    const base = checkedBaseUrl(options.baseUrl);
    const fetch = watchedFetch(options.fetch);
    this.#server = { baseUrl: base, clientId, issuer: options.issuer ?? base };
    this.#apiOptions = { apiUrl: checkedBaseUrl(options.apiUrl ?? base), fetch, clock };
    this.#store = store;
    this.#clock = clock;
    // RFC 6749 §2.3.1.
    const authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    const asClient = {
      apiUrl: base,
      credential: { authorization: async () => authorization },
      fetch,
      clock,
    };
    this.#api = new ApiCaller(asClient);
    const limit = new TokenLimit({ perMinute, longestWaitMs: tokenWaitSeconds * 1000, clock });
    const findOnHold = async () => {
      const ids = new Set<string>();
      for await (const { id } of this.listConnections({ status: "disabled" })) ids.add(id);
      return ids;
    };
    this.#client = new TokenClient(new ApiCaller({ ...asClient, limit }), findOnHold, limit, clock);
  }

  /**
   * Makes the link for a merchant's browser, and the data to store in their session.
   * @throws {InvalidRequest}
   */
  async beginAuthorization(options: AuthorizationOptions): Promise<BegunAuthorization> {
    return await authorizeLink({ ...this.#server, now: this.#clock.now() }, options);
  }

  /**
   * Checks the callback, gets the tokens, reads the shop, and stores the connection before it
   * returns. Delete the stored `pending` before: another process would send the code again, which
   * after a minute ends the connection. After a temporary error, the same call resumes, for ten
   * minutes in this process.
   * @param callbackUrl the address of the callback; path and query are enough
   * @param pending from `beginAuthorization`, of this user's session
   * @throws {MissingVerifier | StateMismatch | IssuerMismatch} the callback is untrusted; nothing
   * was sent
   * @throws {AuthorizationDenied} the merchant declined
   * @throws {InvalidGrant | AnswerLost} the code was used, or is older than five minutes, or its
   * response was lost: begin again
   * @throws {InvalidClient | InvalidRequest} your configuration is wrong
   * @throws {Unavailable | StoreFailed | TokenLimitReached} call again
   */
  async completeAuthorization(
    callbackUrl: string | URL,
    pending: PendingAuthorization | null | undefined,
  ): Promise<StoredConnection> {
    const callback = checkCallback(callbackUrl, pending, this.#server.issuer);
    const now = this.#clock.now();
    for (const [state, { until }] of this.#completions)
      if (until <= now) this.#completions.delete(state);
    const completion = this.#completions.get(callback.state) ?? {
      until: now + COMPLETION_MS,
      exchange: { lostAt: null },
    };
    this.#completions.set(callback.state, completion);
    completion.connection ??= this.#complete(completion, callback).catch((error) => {
      completion.connection = undefined;
      throw error;
    });
    return await completion.connection;
  }

  /** The API for the shop of a stored connection. Sends nothing yet. */
  shop(connectionId: string): ShopClient {
    return this.#shop(this.#source(connectionId));
  }

  /** The connections in your store. @throws {StoreFailed} */
  async *connections(): AsyncGenerator<StoredConnection, void, undefined> {
    try {
      yield* await this.#store.list();
    } catch (cause) {
      throw new StoreFailed("the store could not list connections", { cause });
    }
  }

  /**
   * All connections of your client at the server, including ended ones and those missing from your
   * store.
   */
  async *listConnections(
    options: ListConnections = {},
  ): AsyncGenerator<PartnerConnection, void, undefined> {
    const { signal, ...parameters } = options;
    const query = queryOf({ limit: 1000, ...parameters });
    const pages = this.#api.pages<PartnerConnection>({
      path: "/oauth/api/connections",
      query,
      signal,
    });
    for await (const page of pages) yield* page;
  }

  /**
   * The changes of all your shops since `after`, by connection and kind. @throws {CursorExpired}
   */
  async changes({ signal, ...parameters }: ReadChanges = {}): Promise<ChangesPage> {
    return await this.#api.call({ path: "/oauth/api/changes", query: queryOf(parameters), signal });
  }

  /**
   * Syncs your copies of all connected shops until `signal`: reads the feed of changes, and the
   * changed shops. It may be killed at any point. Copies new connections too.
   */
  async follow(options: FollowOptions): Promise<void> {
    const prepare = (id: string) => this.#source(id).expectConnected();
    await follow({ partner: this, clock: this.#clock, prepare }, options);
  }

  /**
   * Ends a connection immediately at the server, like the merchant's 'Disconnect', and then deletes
   * it from your store. Delete the shop's data too. If it fails, call it again. A superseded token
   * ends nothing at the server: then end the connection on your partner pages.
   * @throws {UnknownConnection | StoreFailed | Unavailable | InvalidClient}
   */
  async disconnect(connectionId: string, { signal }: CallOptions = {}): Promise<void> {
    const { refreshToken } = await readConnection(this.#store, connectionId);
    const form = new URLSearchParams({ token: refreshToken, token_type_hint: "refresh_token" });
    await this.#api.call({ path: "/oauth/api/revoke", form, signal }); // RFC 7009
    await this.forget(connectionId);
  }

  /**
   * Deletes the connection only from your store; its refresh token expires after 30 days.
   * @throws {StoreFailed}
   */
  async forget(connectionId: string): Promise<void> {
    await callStore("delete the connection", () => this.#store.delete(connectionId));
    this.#sources.get(connectionId)?.adopt(null);
    this.#sources.delete(connectionId);
  }

  async #complete(completion: Completion, callback: CheckedCallback): Promise<StoredConnection> {
    completion.tokens ??= this.#client.exchange(callback, completion.exchange).catch((error) => {
      completion.tokens = undefined;
      throw error;
    });
    const tokens = await completion.tokens;
    completion.number ??= ++this.#exchanges;
    const { accessToken, refreshToken, scope } = tokens;
    const client = this.#shop({ authorization: async () => `Bearer ${accessToken}` });
    const { id, shop, connected_at: connectedAt } = await client.connection();
    if (refreshToken === null || id === null || connectedAt === null) {
      throw new Unavailable("the server did not return which connection this is", 1);
    }
    const { name, domain, plan } = shop;
    const connection = {
      id,
      shop: { id: shop.id, name, domain, plan },
      scope,
      refreshToken,
      connectedAt,
    };
    // A newer approval has replaced these tokens.
    if ((this.#stored.get(id) ?? 0) > completion.number)
      return await readConnection(this.#store, id);
    await callStore("keep the connection", () => this.#store.put(connection));
    this.#stored.set(id, completion.number);
    this.#source(id).adopt(tokens);
    return connection;
  }

  #source(connectionId: string): TokenSource {
    const known = this.#sources.get(connectionId);
    const source = known ?? new TokenSource(connectionId, this.#store, this.#client, this.#clock);
    this.#sources.set(connectionId, source);
    return source;
  }

  #shop(credential: Credential): ShopClient {
    return new ShopClient({ ...this.#apiOptions, credential });
  }
}
