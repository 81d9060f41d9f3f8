import { ActivityCounters } from "@partner-connect/connections/activity";
import { type AnsweredRequest, answeredRequest } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";

/** What one caller did in one hour, since it was last stored. */
export interface Usage {
  readonly shopId: string;
  readonly callerId: string;
  readonly hour: number;
  calls: number;
  /** Sent in answers. */
  records: number;
  /** Of the calls: answered 4xx. */
  refused: number;
  /** Of the calls: answered 5xx. */
  failed: number;
}

const HOUR_MS = 3_600_000;

/** Some 5 MB. Between two writes there are fewer callers. This number is reached only while Postgres is away for long. */
const MAX_COUNTED = 20_000;

/** Counts what callers do, in this process alone. It waits for nothing, and no call fails for it. */
export class UsageCounters {
  /** The same of clients, over all their connections, and why calls were refused. */
  readonly activity: ActivityCounters = new ActivityCounters();
  readonly #hours = new Map<number, Map<string, Usage>>();
  readonly #max: number;
  #size = 0;
  #uncounted = 0;

  /** @param max callers and hours that are kept at a time; of further ones nothing is counted */
  constructor(max: number = MAX_COUNTED) {
    this.#max = max;
  }

  /** One call that was answered with this status, or given up by the caller. `refused`: what is known of one that was not answered as asked. */
  call(caller: Caller, status: number, refused?: AnsweredRequest): void {
    if (caller.kind === "connection") {
      this.activity.add(caller.clientId, "calls");
      if (refused) this.activity.refuseCall(refused);
    }
    const { shopId, id } = caller;
    const usage = this.#of(shopId, id, thisHour());
    if (!usage) return;
    usage.calls++;
    if (status >= 500) usage.failed++;
    else if (status >= 400) usage.refused++;
  }

  records(caller: Caller, count: number): void {
    if (caller.kind === "connection" && count > 0) this.activity.add(caller.clientId, "records", "", count);
    const { shopId, id } = caller;
    const usage = this.#of(shopId, id, thisHour());
    if (usage) usage.records += count;
  }

  /** Everything that was counted, to be stored; nothing of it is counted here any more. */
  take(): Usage[] {
    const all = [...this.#hours.values()].flatMap((callers) => [...callers.values()]);
    this.#hours.clear();
    this.#size = 0;
    return all;
  }

  /** What could not be stored is counted again. */
  giveBack(usages: readonly Usage[]): void {
    for (const { shopId, callerId, hour, calls, records, refused, failed } of usages) {
      const usage = this.#of(shopId, callerId, hour);
      if (!usage) continue;
      usage.calls += calls;
      usage.records += records;
      usage.refused += refused;
      usage.failed += failed;
    }
  }

  /** How often something was not counted for want of room, since it was last asked. */
  takeUncounted(): number {
    const count = this.#uncounted;
    this.#uncounted = 0;
    return count;
  }

  #of(shopId: string, callerId: string, hour: number): Usage | null {
    const callers = this.#hours.get(hour);
    const known = callers?.get(callerId);
    if (known) return known;
    if (this.#size >= this.#max) {
      this.#uncounted++;
      return null;
    }
    const usage: Usage = { shopId, callerId, hour, calls: 0, records: 0, refused: 0, failed: 0 };
    if (callers) callers.set(callerId, usage);
    else this.#hours.set(hour, new Map([[callerId, usage]]));
    this.#size++;
    return usage;
  }
}

function thisHour(): number {
  const now = Date.now();
  return now - (now % HOUR_MS);
}

/** Counts each call whose caller is known, when its answer has ended: taken whole, or given up. */
export function countCalls(app: FastifyInstance, usage: UsageCounters): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { caller } = request;
    if (caller) {
      reply.raw.once("close", () => {
        const { statusCode } = reply.raw;
        usage.call(caller, statusCode, statusCode < 400 ? undefined : answeredRequest(request, statusCode));
      });
    }
    done();
  });
}
