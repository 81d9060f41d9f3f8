import type { Clock } from "../clock.ts";
import type { Credential } from "../credential.ts";
import type {
  ConnectionRecord,
  DeletedResponse,
  NewSource,
  QuestionRecord,
  ResponseRecord,
  SourceRecord,
} from "../records.ts";
import { ApiCaller } from "./api-caller.ts";
import type {
  CallOptions,
  CreateSourceOptions,
  ListDeletedResponses,
  ListOptions,
  ListResponses,
} from "./call-parameters.ts";
import { pages, type QueryValue, queryOf } from "./page-walk.ts";
import type { SyncBatch } from "./sync/sync-batch.ts";
import { syncResponses } from "./sync/sync-responses.ts";
import type { SyncState } from "./sync/sync-state.ts";

/** Records of a page, unless the caller says another number: the most that the API gives at a time. */
const PAGE_LIMIT = 1000;

export interface ShopClientOptions {
  /** Without a slash at its end: `/api/…` is put behind it. */
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/**
 * The API of one shop. Failed calls are repeated as `retry-after` says, then throw `Unavailable`. A refused access token is renewed once;
 * `ReconnectRequired` says that the merchant must connect again.
 */
export class ShopClient {
  readonly #caller: ApiCaller;
  readonly #clock: Clock;

  constructor(options: ShopClientOptions) {
    this.#caller = new ApiCaller(options);
    this.#clock = options.clock;
  }

  /** The shop and the connection that the credential speaks for, as they are now. */
  async connection({ signal }: CallOptions = {}): Promise<ConnectionRecord> {
    return await this.#caller.json({ path: "/api/connection", signal });
  }

  /** All responses that match, newest first unless `sort` says otherwise. */
  listResponses({ signal, ...parameters }: ListResponses = {}): AsyncGenerator<ResponseRecord, void, undefined> {
    return this.#list("/api/responses", parameters, signal);
  }

  /** All questions, by id. */
  listQuestions({ signal, ...parameters }: ListOptions = {}): AsyncGenerator<QuestionRecord, void, undefined> {
    return this.#list("/api/questions", parameters, signal);
  }

  /** What the shop has deleted in the last 400 days and not brought back, oldest first. */
  listDeletedResponses({
    signal,
    ...parameters
  }: ListDeletedResponses = {}): AsyncGenerator<DeletedResponse, void, undefined> {
    return this.#list("/api/deleted-responses", parameters, signal);
  }

  /** Creates an attribution source, or updates the one with the same `external_id`. Needs `sources:write`. */
  async createSource(
    source: NewSource,
    { idempotencyKey = crypto.randomUUID(), signal }: CreateSourceOptions = {},
  ): Promise<SourceRecord> {
    const headers = { "idempotency-key": idempotencyKey };
    return await this.#caller.json({ path: "/api/sources", body: source, headers, signal });
  }

  /**
   * Keeps your copy of the shop's responses: gives what has changed since `state`, deletions included, and ends. Apply each batch in one
   * transaction with its `state`, and pass the last one that you kept; null begins a full copy. Let one program at a time keep one copy.
   */
  syncResponses(state: SyncState | null, { signal }: CallOptions = {}): AsyncGenerator<SyncBatch, void, undefined> {
    return syncResponses({ caller: this.#caller, clock: this.#clock, signal }, state);
  }

  async *#list<T>(
    path: string,
    parameters: object,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T, void, undefined> {
    const query = queryOf({ limit: PAGE_LIMIT, ...(parameters as Record<string, QueryValue>) });
    for await (const page of pages<T>(this.#caller, { path, query, signal })) yield* page;
  }
}
