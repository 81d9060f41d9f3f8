import {
  type Batches,
  countOutdated,
  deleteInBatches,
  type Outdated,
  type Row,
  type Sql,
  type Transaction,
} from "@partner-connect/database";
import { type Actor, recordAudit } from "./record-audit.ts";

export type Purge = ReturnType<typeof purgeOf>;

/** Rows that nobody needs after some time. */
interface Purged extends Omit<Outdated, "before"> {
  /** Such as `unfinished_approvals`: for records and scripts. */
  readonly what: string;
  /** Such as 'approval whose code was never exchanged': one of them, for people. */
  readonly noun: string;
  readonly keptDays: number;
  readonly recordEach?: (tx: Transaction, rows: readonly Row[], actor: Actor) => Promise<void>;
}

export function purgeOf({ what, noun, keptDays, recordEach, ...rows }: Purged) {
  return {
    what,
    noun,
    keptDays,
    /** How many of them are from before that time. It reads the whole table. */
    count: (sql: Sql, before: Date) => countOutdated(sql, { ...rows, before }),
    /** Deletes them in batches, each with its record, while services run. Needs the owner's role. */
    run: (sql: Sql, before: Date, actor: Actor, onProgress?: Batches["onProgress"]) =>
      deleteInBatches(
        sql,
        { ...rows, before },
        {
          onProgress,
          async onDeleted(tx, deleted) {
            const detail = { what, rows: deleted.length, before: before.toISOString() };
            await recordAudit(tx, { action: "purge", detail }, actor);
            await recordEach?.(tx, deleted, actor);
          },
        },
      ),
  };
}
