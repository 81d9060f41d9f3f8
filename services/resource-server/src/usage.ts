import { ActivityCounters } from "@partner-connect/connections/activity";
import type { Sql } from "@partner-connect/database";
import {
  type AnsweredRequest,
  answeredRequest,
  type Logger,
} from "@partner-connect/service-runtime";
import { MemoryCounts } from "@partner-connect/service-runtime/memory-counts";
import type { FastifyInstance } from "fastify";
import type { Caller } from "./authentication/caller.ts";

/** A caller's usage in one hour, since it was last stored. */
interface CallerUsage {
  readonly shopId: string;
  readonly callerId: string;
  readonly hour: number;
  calls: number;
  /** Records sent in responses. */
  records: number;
  /** Calls that returned 4xx. */
  refused: number;
  /** Calls that returned 5xx. */
  failed: number;
}

const HOUR_MS = 3_600_000;

/** Counts the calls of callers and clients, and why calls were refused. */
export class Usage {
  readonly #callers: MemoryCounts<CallerUsage>;
  readonly #clients: ActivityCounters;

  constructor(sql: Sql, logger: Logger) {
    this.#callers = new MemoryCounts<CallerUsage>({
      name: "API usage",
      logger,
      store: (all) => addUsage(sql, all),
      merge(usage, more) {
        usage.calls += more.calls;
        usage.records += more.records;
        usage.refused += more.refused;
        usage.failed += more.failed;
      },
    });
    this.#clients = new ActivityCounters(sql, logger);
  }

  /** Counts one call by its status. `unsuccessful` describes a call that was refused or failed. */
  countCall(caller: Caller, status: number, unsuccessful?: AnsweredRequest): void {
    if (caller.kind === "connection") {
      this.#clients.add(caller.clientId, "calls");
      if (unsuccessful) this.#clients.addApiRefusal(unsuccessful);
    }
    const failed = status >= 500 ? 1 : 0;
    this.#count(caller, { calls: 1, records: 0, refused: status >= 400 ? 1 - failed : 0, failed });
  }

  countRecords(caller: Caller, count: number): void {
    if (caller.kind === "connection" && count > 0)
      this.#clients.add(caller.clientId, "records", "", count);
    this.#count(caller, { calls: 0, records: count, refused: 0, failed: 0 });
  }

  start(): void {
    this.#callers.start();
    this.#clients.start();
  }

  /** Stores the counts, after any flush in progress. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all([this.#callers.flush(), this.#clients.flush()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#callers.close(), this.#clients.close()]);
  }

  #count(
    { shopId, id }: Caller,
    counts: Pick<CallerUsage, "calls" | "records" | "refused" | "failed">,
  ): void {
    const now = Date.now();
    const hour = now - (now % HOUR_MS);
    this.#callers.count(`${id} ${hour}`, { shopId, callerId: id, hour, ...counts });
  }
}

/**
 * Adds the counts of shops that still exist. Rows are locked in the order of their keys, so
 * replicas never deadlock. Indexes: api_usage_pkey, shops_pkey.
 */
export async function addUsage(sql: Sql, usages: readonly CallerUsage[]): Promise<void> {
  await sql`
    INSERT INTO oauth.api_usage AS stored (shop_id, caller_id, hour, calls, records, refused, failed)
    SELECT "shopId", "callerId", to_timestamp(hour / 1000), calls, records, refused, failed
    FROM json_to_recordset(${JSON.stringify(usages)}::text::json) AS counted
      ("shopId" text, "callerId" text, hour bigint, calls bigint, records bigint, refused bigint, failed bigint)
      JOIN directory.shops s ON s.id = "shopId"
    ORDER BY "shopId" COLLATE "C", "callerId" COLLATE "C", hour
    ON CONFLICT (shop_id, caller_id, hour) DO UPDATE SET
      calls = stored.calls + excluded.calls, records = stored.records + excluded.records,
      refused = stored.refused + excluded.refused, failed = stored.failed + excluded.failed`;
}

/** Counts each call with a known caller when its response was sent or aborted. */
export function countCalls(app: FastifyInstance, usage: Usage): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { caller } = request;
    if (caller) {
      reply.raw.once("close", () => {
        const { statusCode } = reply.raw;
        usage.countCall(
          caller,
          statusCode,
          statusCode < 400 ? undefined : answeredRequest(request, statusCode),
        );
      });
    }
    done();
  });
}
