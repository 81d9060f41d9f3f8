import { randomUUID } from "node:crypto";
import type { Queries, Row, Statement } from "@partner-connect/database";
import type { MailAbout, MailKind, ShopMailKind } from "./mail.ts";

/** One mail to one person. */
export type QueuedMail = { [Kind in MailKind]: Recipient<Kind> & About<Kind> }[MailKind];

type Recipient<Kind extends MailKind> = Kind extends "none" | "test"
  ? { readonly kind: Kind }
  : Kind extends ShopMailKind
    ? { readonly kind: Kind; readonly shopId: string; readonly merchantId: string }
    : { readonly kind: Kind; readonly merchantId: string };

type About<Kind extends MailKind> =
  MailAbout[Kind] extends Readonly<Record<string, never>>
    ? { readonly about?: undefined }
    : { readonly about: MailAbout[Kind] };

/** Writes a mail that the notifier sends. Call it in the transaction of what the mail tells: neither is ever there without the other. */
export async function queueMail(sql: Queries, mail: QueuedMail): Promise<void> {
  const merchantId = "merchantId" in mail ? mail.merchantId : null;
  const shopId = "shopId" in mail ? mail.shopId : (merchantId ?? randomUUID());
  await sql`
    INSERT INTO oauth.mails (shop_id, kind, merchant_id, about)
    VALUES (${shopId}, ${mail.kind}, ${merchantId}, ${JSON.stringify(mail.about ?? {})}::text::jsonb)`;
}

/**
 * The INSERT of a mail to each member of the shop, for each row of `from`. It may be part of the statement that changes the shop, or be
 * awaited in its transaction.
 *
 * @param columns expressions over the rows of `from`; `about` as jsonb, a `MailAbout` of this kind
 */
export function mailMembers(
  sql: Queries,
  kind: ShopMailKind,
  { shopId, about, from }: Readonly<Record<"shopId" | "about" | "from", Statement<Row[]>>>,
): Statement<Row[]> {
  return sql`
    INSERT INTO oauth.mails (shop_id, kind, merchant_id, about)
    SELECT changed.shop_id, ${kind}, m.merchant_id, changed.about
    FROM (SELECT ${shopId} AS shop_id, ${about} AS about ${from}) AS changed
      JOIN directory.memberships m ON m.shop_id = changed.shop_id`;
}

/** Deletes the mails to a merchant, or of a shop, that are not sent. Needs the owner's role. */
export async function eraseMails(
  sql: Queries,
  of: { readonly merchantId: string } | { readonly shopId: string },
): Promise<void> {
  const whose = "shopId" in of ? sql`shop_id = ${of.shopId}` : sql`merchant_id = ${of.merchantId}`;
  await sql`DELETE FROM oauth.mails WHERE ${whose}`;
}
