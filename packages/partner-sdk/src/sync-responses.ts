import { type ApiCaller, type Page, queryOf } from "./api-caller.ts";
import type { Connection, DeletedResponse, SurveyResponse } from "./api-types.ts";
import { InvalidRequest } from "./errors.ts";
import type { Clock } from "./network.ts";

/** The progress of a copy of a shop's responses. Plain JSON; store it unchanged, with the copy. */
export interface SyncState {
  readonly version: 1;
  readonly shop_id: string;
  readonly copying: boolean;
  readonly response: { readonly id: string; readonly updated_at: string } | null;
  readonly deletion: { readonly id: string; readonly deleted_at: string } | null;
  /** Deletions before this time don't affect the copy. */
  readonly deleted_at_min: string | null;
  /** The time, by your clock, before which all deletions were read. */
  readonly deletions_read_at: string;
}

/**
 * Apply a batch in one transaction: `reset`, then `responses` in their order, then `deletedIds`,
 * then store `state`.
 */
export interface SyncBatch {
  /** True if a full copy begins, so delete your copy of this shop. */
  readonly reset: boolean;
  /** New and changed responses, at most 1000, to upsert by id. */
  readonly responses: readonly SurveyResponse[];
  /** Responses to delete, some of which you may not have. */
  readonly deletedIds: readonly string[];
  readonly state: SyncState;
}

interface SyncReader {
  readonly caller: ApiCaller;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** After a longer pause a copy begins again, because the list of deletions covers 400 days. */
const LONGEST_PAUSE_MS = 390 * 24 * 60 * 60 * 1000;

const NOTHING = { reset: false, responses: [], deletedIds: [] };

/**
 * Yields the changes since `saved`. Responses are read before deletions, so a deletion applied
 * after a response also happened later.
 * @throws {InvalidRequest} if `saved` is not a state, or another shop's
 */
export async function* syncResponses(
  reader: SyncReader,
  saved: SyncState | null,
): AsyncGenerator<SyncBatch, void, undefined> {
  const state = saved && checkedState(saved);
  if (state && reader.clock.now() - Date.parse(state.deletions_read_at) <= LONGEST_PAUSE_MS) {
    try {
      if (!state.response) await requireShop(reader, state.shop_id);
      return yield* changesSince(reader, state);
    } catch (error) {
      // The record at the state's position was deleted more than 400 days ago.
      if (!(error instanceof InvalidRequest && error.param === "starting_after")) throw error;
      await requireShop(reader, state.shop_id);
    }
  }
  const beginning = await beginCopy(reader);
  yield { ...NOTHING, reset: true, state: beginning };
  yield* changesSince(reader, beginning);
}

async function* changesSince(
  { caller, clock, signal }: SyncReader,
  state: SyncState,
): AsyncGenerator<SyncBatch, void, undefined> {
  const { response, deletion, deleted_at_min } = state;
  const after = { starting_after: response?.id, cursor_time: response?.updated_at };
  const changed = queryOf({ sort: "updated_at_asc", limit: 1000, ...after });
  const pages = caller.pages<SurveyResponse>(
    { path: "/api/responses", query: changed, signal },
    true,
  );
  for await (const responses of pages) {
    const last = responses.at(-1);
    if (!last) continue;
    state = { ...state, response: { id: last.id, updated_at: last.updated_at } };
    yield { ...NOTHING, responses, state };
  }

  state = { ...state, copying: false };
  const deletionsReadAt = new Date(clock.now()).toISOString();
  const from = deletion
    ? { starting_after: deletion.id, cursor_time: deletion.deleted_at }
    : { deleted_at_min };
  const deleted = queryOf({ limit: 1000, ...from });
  for await (const page of caller.pages<DeletedResponse>({
    path: "/api/deleted-responses",
    query: deleted,
    signal,
  })) {
    const last = page.at(-1);
    if (last) state = { ...state, deletion: { id: last.id, deleted_at: last.deleted_at } };
    yield { ...NOTHING, deletedIds: page.map(({ id }) => id), state };
  }
  yield { ...NOTHING, state: { ...state, deletions_read_at: deletionsReadAt } };
}

/**
 * The state that begins a copy. Deletions are read from the shop's newest `updated_at` on, because
 * one clock stamps changes and deletions, so every later deletion comes after it.
 */
async function beginCopy({ caller, clock, signal }: SyncReader): Promise<SyncState> {
  const { shop } = await caller.call<Connection>({ path: "/api/connection", signal });
  const query = new URLSearchParams({ sort: "updated_at_desc", limit: "1" });
  const { data } = await caller.call<Page<SurveyResponse>>({
    path: "/api/responses",
    query,
    signal,
  });
  return {
    version: 1,
    shop_id: shop.id,
    copying: true,
    response: null,
    deletion: null,
    deleted_at_min: data[0]?.updated_at ?? null,
    deletions_read_at: new Date(clock.now()).toISOString(),
  };
}

async function requireShop({ caller, signal }: SyncReader, shopId: string): Promise<void> {
  const { shop } = await caller.call<Connection>({ path: "/api/connection", signal });
  if (shop.id !== shopId)
    throw new InvalidRequest(`the state is of the shop ${shopId}, not of ${shop.id}`, "state");
}

function checkedState(saved: SyncState): SyncState {
  const { version, shop_id, deletions_read_at, copying } = Object(saved) as Partial<SyncState>;
  const isOurs = version === 1 && typeof shop_id === "string" && typeof copying === "boolean";
  if (isOurs && !Number.isNaN(Date.parse(deletions_read_at ?? ""))) return saved;
  const problem = "`state` is not a state that syncResponses returned";
  throw new InvalidRequest(`${problem}: pass it unchanged, or null to start over`, "state");
}
