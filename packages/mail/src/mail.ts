import type { Queries } from "@partner-connect/database";

/**
 * What a mail of each kind is about: ids, scopes and words of ours. Names and addresses are read when it is sent. What tells that somebody
 * did something has the merchant's id in `by`, or null: an operator, or the app itself.
 */
export interface MailAbout {
  /** To the merchant of a new account: a link to set its password. */
  readonly new_account: Empty;
  /** A link to choose a new password. */
  readonly reset_password: Empty;
  readonly app_connected: AppEvent & { readonly scope: readonly string[] };
  /** `scope` is what the app may do in addition. */
  readonly app_widened: AppEvent & { readonly scope: readonly string[] };
  /** By the app (`client`) or by us: an `operator`, or as the app sent a used code again (`replay`). */
  readonly app_disconnected: Omit<AppEvent, "by"> & {
    readonly by: "client" | "operator" | "replay";
    /** The operator's words for the shop's members. */
    readonly reason?: string;
  };
  /** To everybody who belongs to the shop. */
  readonly member_added: MemberEvent;
  readonly member_removed: MemberEvent;
  readonly password_changed: Empty;
  readonly second_factor_changed: { readonly change: SecondFactorChange };
  /** `device` such as 'Firefox on Linux'; `address` is the network address. */
  readonly new_device: { readonly device?: string; readonly address?: string };
  /** To everybody who belongs to a client: it has a new secret, or the former one was ended before its time. */
  readonly client_secret_made: ClientEvent & { readonly by: string | null };
  readonly client_secret_ended: ClientEvent & { readonly by: string | null };
  /** To everybody who belongs to a client. */
  readonly client_member_added: ClientEvent & MemberEvent & { readonly by: string | null };
  readonly client_member_removed: ClientEvent & MemberEvent & { readonly by: string | null };
  /** No recipient: queued for an unknown address, so that the request takes as long. */
  readonly none: Empty;
}

type Empty = Readonly<Record<string, never>>;

interface AppEvent {
  readonly client_id: string;
  readonly connection_id: string;
  readonly by: string | null;
}

interface ClientEvent {
  readonly client_id: string;
}

interface MemberEvent {
  /** The merchant who was added or removed. */
  readonly member_id: string;
}

export type SecondFactorChange = "passkey_added" | "passkey_removed" | "removed_by_us";

export type MailKind = keyof MailAbout;

/** The kinds that concern a shop. */
type ShopMailKind = "app_connected" | "app_widened" | "app_disconnected" | "member_added" | "member_removed";

/** To all members of a shop, or of a client. */
type MemberMailKind = ShopMailKind | Extract<MailKind, `client_${string}`>;

/** A job of the kind `mail`, as its queue keeps it. */
export interface MailJob {
  readonly kind: MailKind;
  /** The recipient. Null for kind `none`. */
  readonly merchant_id: string | null;
  readonly shop_id: string | null;
  readonly about: Readonly<Record<string, unknown>>;
  /** The id of the mail's link that sets a password. */
  readonly link: string | null;
}

/** A mail with one recipient. */
type QueuedMail = {
  [Kind in Exclude<MailKind, MemberMailKind>]: Recipient<Kind> & About<Kind>;
}[Exclude<MailKind, MemberMailKind>];

type Recipient<Kind extends MailKind> = Kind extends "none"
  ? { readonly kind: Kind; readonly link?: string }
  : Kind extends "new_account" | "reset_password"
    ? { readonly kind: Kind; readonly merchantId: string; readonly link: string }
    : { readonly kind: Kind; readonly merchantId: string };

type About<Kind extends MailKind> =
  MailAbout[Kind] extends Readonly<Record<string, never>>
    ? { readonly about?: undefined }
    : { readonly about: MailAbout[Kind] };

/** Adds the job of a mail. Call it in the transaction of the change that the mail reports: both are committed, or neither is. */
export async function queueMail(sql: Queries, mail: QueuedMail): Promise<void> {
  const merchantId = "merchantId" in mail ? mail.merchantId : null;
  const link = "link" in mail ? (mail.link ?? null) : null;
  await sql`SELECT oauth.add_mail(${mail.kind}, ${merchantId}, NULL, ${sql.json(mail.about ?? {})}, ${link})`;
}

/** Queues the same mail for each member of the shops or clients in `told`. Indexes: memberships_by_shop, client_members_by_client. */
export async function mailMembers<Kind extends MemberMailKind>(
  sql: Queries,
  kind: Kind,
  told: readonly { readonly of: string; readonly about: MailAbout[Kind] }[],
): Promise<void> {
  const ids = told.map(({ of }) => of);
  const [shops, clients] = kind.startsWith("client_") ? [[], ids] : [ids, []];
  const abouts = told.map(({ about }) => JSON.stringify(about));
  await sql`
    SELECT oauth.add_member_mails(${kind}, ${shops}::text[], ${clients}::text[], ${abouts}::text[]::jsonb[])`;
}

/** Deletes the mails to a merchant, about a shop or about a client that are not sent. */
export async function eraseMails(
  sql: Queries,
  of: { readonly merchantId?: string; readonly shopId?: string; readonly clientId?: string },
): Promise<void> {
  await sql`SELECT oauth.erase_mails(${of.merchantId ?? null}, ${of.shopId ?? null}, ${of.clientId ?? null})`;
}
