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

/** Writes a mail that the worker sends. Call it in the transaction of what the mail tells: neither is ever there without the other. */
export async function queueMail(sql: Queries, mail: QueuedMail): Promise<void> {
  const merchantId = "merchantId" in mail ? mail.merchantId : null;
  const shopId = "shopId" in mail ? mail.shopId : (merchantId ?? randomUUID());
  await sql`
    INSERT INTO oauth.mails (shop_id, kind, merchant_id, about)
    VALUES (${shopId}, ${mail.kind}, ${merchantId}, ${JSON.stringify(mail.about ?? {})}::text::jsonb)`;
}

/** To all members of a shop, or of a client. */
type MemberMailKind = ShopMailKind | Extract<MailKind, `client_${string}`>;

interface MemberMail<Kind extends MemberMailKind> {
  /** The shop's or the client's id: a value, or an expression over the rows of `from`. */
  readonly of: string | Statement<Row[]>;
  /** The same, as jsonb. */
  readonly about: MailAbout[Kind] | Statement<Row[]>;
  /** Such as `FROM changed`. Default: one row. */
  readonly from?: Statement<Row[]>;
}

/**
 * The INSERT of a mail to each member of the shop or client, for each row of `from`. It can be part of the statement that changes these, or be
 * awaited in its transaction. Indexes: memberships_by_shop, client_members_by_client.
 */
export function mailMembers<Kind extends MemberMailKind>(
  sql: Queries,
  kind: Kind,
  { of, about, from = sql`` }: MemberMail<Kind>,
): Statement<Row[]> {
  const isOfClient = kind.startsWith("client_");
  const id = typeof of === "string" ? sql`${of}::text` : of;
  const facts = about instanceof Promise ? about : sql`${JSON.stringify(about)}::text::jsonb`;
  const members = isOfClient
    ? sql`directory.client_members m ON m.client_id`
    : sql`directory.memberships m ON m.shop_id`;
  return sql`
    INSERT INTO oauth.mails (shop_id, kind, merchant_id, about)
    SELECT ${isOfClient ? sql`m.merchant_id` : sql`changed.id`}, ${kind}, m.merchant_id, changed.about
    FROM (SELECT ${id} AS id, ${facts} AS about ${from}) AS changed JOIN ${members} = changed.id`;
}

/** Deletes the mails to a merchant, or of a shop, that are not sent. Needs the owner's role. */
export async function eraseMails(
  sql: Queries,
  of: { readonly merchantId: string } | { readonly shopId: string },
): Promise<void> {
  const whose = "shopId" in of ? sql`shop_id = ${of.shopId}` : sql`merchant_id = ${of.merchantId}`;
  await sql`DELETE FROM oauth.mails WHERE ${whose}`;
}
