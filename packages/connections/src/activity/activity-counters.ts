import { type Answered, KeptRefusals, type RefusalKind } from "./kept-refusals.ts";

/**
 * What is counted of a client. The API: `calls`, `records` (sent in answers). The token endpoint: `exchanges` and `refreshes` that
 * succeeded. And what was refused.
 */
export type ActivityKind = "calls" | "records" | "exchanges" | "refreshes" | RefusalKind;

/** One number of one client in one hour. */
export interface Activity {
  readonly clientId: string;
  /** Its beginning, in milliseconds since the epoch. */
  readonly hour: number;
  readonly what: ActivityKind;
  /** Why, as the log has it; empty where it needs none. */
  readonly reason: string;
  count: number;
}

const HOUR_MS = 3_600_000;

/** Some 3 MB. It is reached only while Postgres is away for long. */
const MAX_COUNTED = 20_000;

/** Counts what clients do, in this process alone. It waits for nothing, and no call fails for it. */
export class ActivityCounters {
  /** Examples of what is counted as refused. They are stored by themselves. */
  readonly refusals: KeptRefusals = new KeptRefusals();
  readonly #counted = new Map<string, Activity>();
  readonly #max: number;

  /** @param max numbers that are kept at a time; of further ones nothing is counted */
  constructor(max: number = MAX_COUNTED) {
    this.#max = max;
  }

  add(clientId: string, what: ActivityKind, reason = "", count = 1): void {
    const now = Date.now();
    this.#add({ clientId, hour: now - (now % HOUR_MS), what, reason, count });
  }

  /** Counts a refusal of a client that is known, and keeps it while there is room. `count`: of a batch, how many of its tokens. */
  refuse(what: RefusalKind, answered: Answered, reason: string = reasonOf(answered), count = 1): void {
    const { clientId, requestId, call, status, error = null, param = null, connectionId = null } = answered;
    if (clientId === undefined) return;
    this.add(clientId, what, reason, count);
    this.refusals.add({ clientId, at: Date.now(), requestId, call, status, what, reason, error, param, connectionId });
  }

  /** The same of a call of an API. */
  refuseCall(answered: Answered): void {
    const { status, limit } = answered;
    if (status === 429) this.refuse("limited", answered, limit);
    else this.refuse(status >= 500 ? "failed" : "refused", answered);
  }

  /** Everything that was counted, to be stored; nothing of it is counted here any more. */
  take(): Activity[] {
    const all = [...this.#counted.values()];
    this.#counted.clear();
    return all;
  }

  /** What could not be stored is counted again. */
  giveBack(activities: readonly Activity[]): void {
    for (const activity of activities) this.#add(activity);
  }

  #add(activity: Activity): void {
    const { clientId, hour, what, reason, count } = activity;
    const key = `${clientId} ${hour} ${what} ${reason}`;
    const known = this.#counted.get(key);
    if (known) known.count += count;
    else if (this.#counted.size < this.#max) this.#counted.set(key, { ...activity });
  }
}

function reasonOf({ reason, status }: Answered): string {
  return reason ?? `status_${status}`;
}
