import { type ListPage, listPage, type Sql } from "@partner-connect/database";
import type { MailKind } from "./mail.ts";

/** A mail that is not sent yet, as operators see it. */
export interface WaitingMail {
  readonly id: string;
  readonly shopId: string;
  readonly kind: MailKind;
  readonly merchantId: string | null;
  readonly createdAt: Date;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  /** Null: not given up. */
  readonly failedAt: Date | null;
  /** Of the last attempt. */
  readonly failure: string | null;
}

/** The oldest first. It reads the whole table, which has what is not sent. */
export async function listMails(
  sql: Sql,
  { failed, ...page }: ListPage & { readonly failed: boolean },
): Promise<WaitingMail[]> {
  return await sql<WaitingMail[]>`
    SELECT id, shop_id AS "shopId", kind, merchant_id AS "merchantId", created_at AS "createdAt", attempts,
      next_attempt_at AS "nextAttemptAt", failed_at AS "failedAt", failure
    FROM oauth.mails WHERE kind <> 'none' AND (failed_at IS NOT NULL OR NOT ${failed}::boolean)
    ${listPage(sql, page, "id", ["kind", "failure"])}`;
}

/** Has mails sent at once: all that wait or were given up, or one of them. Returns how many. Needs the owner's role. */
export async function retryMails(sql: Sql, id: string | null): Promise<number> {
  const { count } = await sql`
    UPDATE oauth.mails SET next_attempt_at = now(), failed_at = NULL
    WHERE ${id === null ? sql`true` : sql`id = ${id}`} AND (claimed_until IS NULL OR claimed_until < now())`;
  return count;
}

export interface MailCounts {
  /** Not sent, and not given up. */
  readonly waiting: number;
  /** Seconds since the oldest of them was written. */
  readonly oldestSeconds: number;
  readonly failed: number;
}

export async function countMails(sql: Sql): Promise<MailCounts> {
  const [row] = await sql<MailCounts[]>`
    SELECT count(*) FILTER (WHERE failed_at IS NULL)::int AS waiting, count(failed_at)::int AS failed,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE failed_at IS NULL)), 0)::float8 AS "oldestSeconds"
    FROM oauth.mails`;
  return row ?? { waiting: 0, oldestSeconds: 0, failed: 0 };
}
