import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";

/** Lease duration: after a kill, another replica takes the lease at its first attempt after this. */
const TERM_MS = 1000;
const EVERY_MS = 250;

/**
 * The replica that holds the row of `oauth.leases` relays, until the lease expires by the database's clock. The lease only saves work: two
 * replicas that relay at once do no harm.
 */
export class Lease {
  readonly #sql: Sql;
  readonly #logger: Logger;
  readonly #holder = randomUUID();
  readonly #end = new AbortController();
  /** Expiry, as a time of `performance.now()`. */
  #until = 0;
  #wasHeld = false;
  #renewing: Promise<void> = Promise.resolve();

  constructor(sql: Sql, logger: Logger) {
    this.#sql = sql;
    this.#logger = logger;
  }

  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  start(): void {
    this.#renewing = this.#renewOften();
  }

  /** Releases the lease, so that another replica can take it immediately. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#renewing;
    if (!this.isHeld) return;
    this.#until = 0;
    // Truncated, because `now()` may round up to a time in the future.
    await this
      .#sql`UPDATE oauth.leases SET until = date_trunc('milliseconds', now()) WHERE id = 'relay' AND holder = ${this.#holder}`.catch(
      () => {}, // it expires anyway
    );
  }

  async #renewOften(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#renew().catch(() => {}); // while Postgres is down, which /readyz reports and logs
      if (this.isHeld !== this.#wasHeld) {
        this.#wasHeld = this.isHeld;
        this.#logger.info(this.#wasHeld ? "took the relay's lease" : "lost the relay's lease");
      }
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Writes nothing while another replica has it. Index: leases_pkey. */
  async #renew(): Promise<void> {
    const asked = performance.now();
    const { count } = await this.#sql`
      UPDATE oauth.leases SET holder = ${this.#holder}, until = now() + ${TERM_MS} * interval '1 ms'
      WHERE id = 'relay' AND (holder = ${this.#holder} OR until < now())`;
    this.#until = count > 0 ? asked + TERM_MS : 0;
  }
}
