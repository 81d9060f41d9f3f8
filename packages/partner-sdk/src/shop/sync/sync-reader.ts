import type { Clock } from "../../clock.ts";
import type { ApiCaller } from "../api-caller.ts";

/** What a sync reads with. */
export interface SyncReader {
  readonly caller: ApiCaller;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}
