import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import { MemoryCounts } from "@partner-connect/service-runtime/memory-counts";
import { type Activity, type ActivityKind, addActivity } from "./client-activity.ts";
import type { Refusal, RefusalKind } from "./client-refusals.ts";

/** A failed request: the facts of its log record, without what the caller sent. */
interface Answered {
  readonly requestId: string;
  readonly call: string;
  readonly status: number;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly reason?: string | undefined;
  readonly limit?: string | undefined;
  readonly error?: string | undefined;
  readonly param?: string | undefined;
}

const HOUR_MS = 3_600_000;

/** Examples stored per client and reason between two flushes, so that equal refusals don't displace others. */
const EXAMPLES_OF_A_REASON = 10;

/**
 * Above this number of counts, further ones have no examples (some 8 MB). Reached by floods of many clients, or during an outage of
 * Postgres.
 */
const MAX_WITH_EXAMPLES = 2000;

export class ActivityCounters extends MemoryCounts<Activity> {
  constructor(sql: Sql, logger: Logger) {
    super({
      name: "what clients did",
      logger,
      store: (all) => addActivity(sql, all),
      merge(activity, more) {
        activity.count += more.count;
        activity.examples.push(...more.examples.slice(0, EXAMPLES_OF_A_REASON - activity.examples.length));
      },
    });
  }

  add(clientId: string, what: ActivityKind, reason = "", count = 1, examples: Refusal[] = []): void {
    const now = Date.now();
    const hour = now - (now % HOUR_MS);
    this.count(`${clientId} ${hour} ${what} ${reason}`, { clientId, hour, what, reason, count, examples });
  }

  /** Counts a refusal of a known client, and keeps it as an example while there is room. `count` is the number of a batch's tokens. */
  refuse(what: RefusalKind, answered: Answered, reason: string = reasonOf(answered), count = 1): void {
    const { clientId, requestId, call, status, error = null, param = null, connectionId = null } = answered;
    if (clientId === undefined) return;
    const example = { clientId, at: Date.now(), requestId, call, status, what, reason, error, param, connectionId };
    this.add(clientId, what, reason, count, this.size < MAX_WITH_EXAMPLES ? [example] : []);
  }

  /** The same for a call of the API. */
  refuseCall(answered: Answered): void {
    const { status, limit } = answered;
    if (status === 429) this.refuse("limited", answered, limit);
    else this.refuse(status >= 500 ? "failed" : "refused", answered);
  }
}

function reasonOf({ reason, status }: Answered): string {
  return reason ?? `status_${status}`;
}
