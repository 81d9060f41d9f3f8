import { ApiCaller, type ApiCallerOptions, queryOf } from "./api-caller.ts";
import type {
  Connection,
  DeletedResponse,
  NewSource,
  PartnerConnection,
  Question,
  Source,
  SurveyResponse,
} from "./api-types.ts";
import { checkedBaseUrl, checkedCredential } from "./checks.ts";
import { type Clock, systemClock, watchedFetch } from "./network.ts";
import { type SyncBatch, type SyncState, syncResponses } from "./sync-responses.ts";

/** RFC 3339, or a Date. */
export type Time = string | Date;

export interface CallOptions {
  /** Aborts the call, even while it waits to retry. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** Records per page, 1 to 1000. Default: 1000. Iteration continues to the end of the list. */
  readonly limit?: number;
  /** The list begins after the record with this id. */
  readonly starting_after?: string | number;
}

export interface ListResponses extends ListOptions {
  /** Default: `inserted_at_desc`, newest first. */
  readonly sort?: "inserted_at_desc" | "inserted_at_asc" | "updated_at_desc" | "updated_at_asc";
  /** The time that you sort by, of the record that `starting_after` names. */
  readonly cursor_time?: Time;
  /** Inclusive. Default: none. */
  readonly inserted_at_min?: Time;
  /** Inclusive. Default: none. */
  readonly inserted_at_max?: Time;
  /** Inclusive. Default: none. */
  readonly updated_at_min?: Time;
  /** Inclusive. Default: none. */
  readonly updated_at_max?: Time;
}

export interface ListDeletedResponses extends ListOptions {
  /** The `deleted_at` of the record that `starting_after` names. */
  readonly cursor_time?: Time;
  /** Inclusive. Default: none. */
  readonly deleted_at_min?: Time;
  /** Inclusive. Default: none. */
  readonly deleted_at_max?: Time;
}

export interface CreateSourceOptions extends CallOptions {
  /** A repeated key returns the first response for 24 hours. Default: a new key per call. */
  readonly idempotencyKey?: string;
}

/** `disabled` (on hold) hides any other status. New values may be added. */
export type ConnectionStatus = PartnerConnection["status"];

export interface ListConnections extends CallOptions {
  /** Default: all. */
  readonly status?: ConnectionStatus;
  /** Only the connection with this id. */
  readonly id?: string;
  /** Connections per page, 1 to 1000. Default: 1000. Iteration continues to the end of the list. */
  readonly limit?: number;
  /** The list begins after the connection with this id. */
  readonly starting_after?: string;
}

export interface ReadChanges extends CallOptions {
  /** The `cursor` of an earlier page; null to read from the beginning. */
  readonly after?: string | null;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** Seconds to wait for changes, 0 to 25. Default: 0. */
  readonly wait?: number;
}

export interface ApiKeyOptions {
  /** The base URL, or the API hostname. */
  readonly baseUrl: string;
  /** `pck_…`. */
  readonly apiKey: string;
  /** For a proxy, or to log calls. Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
  /** For tests. Default: `systemClock`. */
  readonly clock?: Clock;
}

/** The API for the shop of this API key. @throws {InvalidBaseUrl | InvalidRequest} */
export function shopWithApiKey({
  apiKey,
  fetch,
  clock = systemClock,
  ...options
}: ApiKeyOptions): ShopClient {
  const key = checkedCredential("apiKey", apiKey);
  const credential = { authorization: async () => key };
  return new ShopClient({
    apiUrl: checkedBaseUrl(options.baseUrl),
    credential,
    fetch: watchedFetch(fetch),
    clock,
  });
}

/**
 * The API of one shop. Failed calls are retried. `ReconnectRequired` means that the merchant must
 * connect again.
 */
export class ShopClient {
  readonly #caller: ApiCaller;
  readonly #clock: Clock;

  constructor(options: ApiCallerOptions) {
    this.#caller = new ApiCaller(options);
    this.#clock = options.clock;
  }

  /** The shop and the connection of this client's credential. */
  async connection({ signal }: CallOptions = {}): Promise<Connection> {
    return await this.#caller.call({ path: "/api/connection", signal });
  }

  /** All matching responses, newest first unless `sort` says otherwise. */
  listResponses(options: ListResponses = {}): AsyncGenerator<SurveyResponse, void, undefined> {
    return this.#list("/api/responses", options);
  }

  /** All questions, by id. */
  listQuestions(options: ListOptions = {}): AsyncGenerator<Question, void, undefined> {
    return this.#list("/api/questions", options);
  }

  /**
   * Responses that the shop has deleted in the last 400 days and not imported again, oldest first.
   */
  listDeletedResponses(
    options: ListDeletedResponses = {},
  ): AsyncGenerator<DeletedResponse, void, undefined> {
    return this.#list("/api/deleted-responses", options);
  }

  /**
   * Creates an attribution source, or updates the one with the same `external_id`. Needs
   * `sources:write`.
   */
  async createSource(
    source: NewSource,
    { idempotencyKey = crypto.randomUUID(), signal }: CreateSourceOptions = {},
  ): Promise<Source> {
    const headers = { "idempotency-key": idempotencyKey };
    return await this.#caller.call({ path: "/api/sources", body: () => source, headers, signal });
  }

  /**
   * Yields the changes since `state`, including deletions, and ends. Apply each batch and its
   * `state` in one transaction, and pass the last stored one; null begins a full copy. Only one
   * program at a time may maintain a copy.
   */
  syncResponses(
    state: SyncState | null,
    { signal }: CallOptions = {},
  ): AsyncGenerator<SyncBatch, void, undefined> {
    return syncResponses({ caller: this.#caller, clock: this.#clock, signal }, state);
  }

  async *#list<T>(
    path: string,
    { signal, ...parameters }: ListOptions,
  ): AsyncGenerator<T, void, undefined> {
    const query = queryOf({ limit: 1000, ...parameters });
    for await (const page of this.#caller.pages<T>({ path, query, signal })) yield* page;
  }
}
