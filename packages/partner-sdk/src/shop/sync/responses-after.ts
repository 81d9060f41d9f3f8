import type { Clock } from "../../clock.ts";
import { PartnerConnectError } from "../../errors/index.ts";
import type { ResponseRecord } from "../../records.ts";
import type { ApiCaller } from "../api-caller.ts";
import { exportBatches } from "../export-batches.ts";
import { pages, queryOf } from "../page-walk.ts";
import { ComeBackLater } from "../patience.ts";
import { pageResponses, responseLines, type SomeResponses } from "./response-lines.ts";
import type { SyncState } from "./sync-state.ts";

export interface SyncReader {
  readonly caller: ApiCaller;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const PATH = "/api/responses";

/** Exports in a row that may break off before anything came. */
const MOST_FAILURES = 3;

type Place = SyncState["response"];

function queryAfter(place: Place, parameters: { readonly limit?: number } = {}): URLSearchParams {
  const cursor = place ? { starting_after: place.id, cursor_time: place.updated_at } : {};
  return queryOf({ sort: "updated_at_asc", ...parameters, ...cursor });
}

export async function* responsesAfter(
  { caller, signal }: SyncReader,
  place: Place,
): AsyncGenerator<SomeResponses, void, undefined> {
  const walk = { path: PATH, query: queryAfter(place, { limit: 1000 }), signal, ahead: true };
  for await (const page of pages<ResponseRecord>(caller, walk)) {
    const some = pageResponses(page);
    if (some) yield some;
  }
}

/**
 * The same by an export, which goes on after the last complete record where it breaks off, and ends early where exports aren't to be had
 * now. @throws {PartnerConnectError} what the API refuses
 */
export async function* exportedResponses(
  { caller, clock, signal }: SyncReader,
  from: Place,
): AsyncGenerator<SomeResponses, void, undefined> {
  const headers = { accept: "application/x-ndjson" };
  for (let place = from, failures = 0; failures < MOST_FAILURES; ) {
    try {
      const open = await caller.open({ path: PATH, query: queryAfter(place), headers, signal });
      for await (const lines of exportBatches(open)) {
        const some = responseLines(lines);
        place = some.last;
        failures = 0;
        yield some;
      }
      return;
    } catch (failure) {
      signal?.throwIfAborted();
      if (failure instanceof PartnerConnectError) throw failure;
      // The shop has other exports under way, or the API has too many: it says so by a time.
      if (failure instanceof ComeBackLater && failure.seconds !== null) return;
      failures += 1;
      await clock.sleep(200 * failures, signal);
    }
  }
}
