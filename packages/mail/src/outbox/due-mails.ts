import type { Sql } from "@partner-connect/database";
import type { MailKind } from "./mail.ts";

/** A mail that may be sent. */
export interface DueMail {
  readonly id: string;
  readonly shopId: string;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
}

/** A mail that this process sends. */
export interface ClaimedMail {
  readonly id: string;
  readonly shopId: string;
  readonly kind: MailKind;
  /** Null: a test, or nobody. */
  readonly merchantId: string | null;
  readonly about: Readonly<Record<string, unknown>>;
  /** When it happened that the mail tells of. */
  readonly createdAt: Date;
  /** With this one. */
  readonly attempts: number;
}

/** While a process sends, no other one sends that mail: longer than an attempt can take. A process that was killed is followed after it. */
const LEASE_SECONDS = 300;

/** Mails that have waited longest; failing ones and others apart, so that the one kind does not keep the other from its turn. Index: mails_due. */
export async function dueMails(sql: Sql, isFailing: boolean, limit: number): Promise<DueMail[]> {
  return await sql<DueMail[]>`
    SELECT id, shop_id AS "shopId", attempts > 0 AS "isFailing" FROM oauth.mails
    WHERE failed_at IS NULL AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
      AND (attempts > 0) = ${isFailing}
    ORDER BY next_attempt_at, id LIMIT ${limit}`;
}

/** Takes the mail for this process; null: another process has it, or has sent it. Index: mails_pkey. */
export async function claimMail(sql: Sql, { shopId, id }: DueMail): Promise<ClaimedMail | null> {
  const [row] = await sql<ClaimedMail[]>`
    UPDATE oauth.mails SET claimed_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
    WHERE shop_id = ${shopId} AND id = ${id} AND failed_at IS NULL AND next_attempt_at <= now()
      AND (claimed_until IS NULL OR claimed_until < now())
    RETURNING id, shop_id AS "shopId", kind, merchant_id AS "merchantId", about, created_at AS "createdAt", attempts`;
  return row ?? null;
}
