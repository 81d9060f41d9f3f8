import type { Clock } from "../../clock.ts";
import { InvalidRequest } from "../../errors/index.ts";
import type { ConnectionRecord, DeletedResponse, ResponseRecord } from "../../records.ts";
import type { ApiCaller } from "../api-caller.ts";
import { type Page, pages, queryOf } from "../page-walk.ts";
import { type SyncBatch, syncBatch } from "./sync-batch.ts";
import { isTooOld, readSyncState, type SyncState } from "./sync-state.ts";

interface SyncReader {
  readonly caller: ApiCaller;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What has changed since `saved`. Responses are read before deletions: a deletion that is applied after a response was then also later on
 * the shop's side. @throws {InvalidRequest} if `saved` is no state of ours, or another shop's
 */
export async function* syncResponses(
  reader: SyncReader,
  saved: SyncState | null,
): AsyncGenerator<SyncBatch, void, undefined> {
  const state = saved && readSyncState(saved);
  if (state && !isTooOld(state, reader.clock.now())) {
    try {
      if (!state.response) await requireShop(reader, state.shop_id);
      return yield* follow(reader, state);
    } catch (error) {
      if (!isForgottenPlace(error)) throw error;
      await requireShop(reader, state.shop_id);
    }
  }
  const beginning = await beginCopy(reader);
  yield syncBatch(beginning, { reset: true });
  yield* follow(reader, beginning);
}

async function* follow(reader: SyncReader, from: SyncState): AsyncGenerator<SyncBatch, void, undefined> {
  let state = from;
  for await (const responses of responsesAfter(reader, state)) {
    const last = responses.at(-1);
    if (!last) continue;
    state = { ...state, response: { id: last.id, updated_at: last.updated_at } };
    yield syncBatch(state, { responses });
  }

  state = { ...state, copying: false };
  const deletionsReadAt = new Date(reader.clock.now()).toISOString();
  for await (const deleted of deletionsAfter(reader, state)) {
    const last = deleted.at(-1);
    if (last) state = { ...state, deletion: { id: last.id, deleted_at: last.deleted_at } };
    yield syncBatch(state, { deletedIds: deleted.map(({ id }) => id) });
  }
  yield syncBatch({ ...state, deletions_read_at: deletionsReadAt });
}

function responsesAfter({ caller, signal }: SyncReader, { response }: SyncState) {
  const place = response ? { starting_after: response.id, cursor_time: response.updated_at } : {};
  const query = queryOf({ ...place, sort: "updated_at_asc", limit: 1000 });
  return pages<ResponseRecord>(caller, { path: "/api/responses", query, signal, ahead: true });
}

function deletionsAfter({ caller, signal }: SyncReader, { deletion, deleted_at_min }: SyncState) {
  const place = deletion
    ? { starting_after: deletion.id, cursor_time: deletion.deleted_at }
    : { deleted_at_min: deleted_at_min ?? undefined };
  const query = queryOf({ ...place, limit: 1000 });
  return pages<DeletedResponse>(caller, { path: "/api/deleted-responses", query, signal, ahead: true });
}

/** The newest `updated_at` is earlier than every deletion that comes, as the shop stamps both by one clock: no clock of ours is needed. */
async function beginCopy({ caller, clock, signal }: SyncReader): Promise<SyncState> {
  const { shop } = await caller.json<ConnectionRecord>({ path: "/api/connection", signal });
  const query = queryOf({ sort: "updated_at_desc", limit: 1 });
  const { data } = await caller.json<Page<ResponseRecord>>({ path: "/api/responses", query, signal });
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

/** Where the state has stopped is no longer known: the record was deleted more than 400 days ago. */
function isForgottenPlace(error: unknown): boolean {
  return error instanceof InvalidRequest && error.param === "starting_after";
}

async function requireShop({ caller, signal }: SyncReader, shopId: string): Promise<void> {
  const { shop } = await caller.json<ConnectionRecord>({ path: "/api/connection", signal });
  if (shop.id !== shopId) throw new InvalidRequest(`the state is of the shop ${shopId}, not of ${shop.id}`, "state");
}
