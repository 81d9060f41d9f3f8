import type { Queries } from "@partner-connect/database";

/**
 * The stored data of each kind of mail: ids, scopes and fixed words. Other names and addresses are
 * read when the mail is sent. `by` is the acting merchant; null if an operator or the app acted.
 */
export interface MailAbout {
  /** To a merchant, with a link to set the first password or a new one. */
  readonly new_account: Nothing;
  readonly reset_password: Nothing;
  /** To a merchant. `language` is the page's, for an account that has none. */
  readonly password_changed: Source & { readonly language?: string | null };
  /** To the former address, after an operator changed it. */
  readonly address_changed: { readonly former: string };
  readonly second_factor_changed: { readonly change: SecondFactorChange };
  /** `device` such as 'Firefox, Linux'; `address` is the network address. */
  readonly new_device: Source;
  /** The right password was entered, and no passkey was used after it. */
  readonly password_entered: Source;
  /** To nobody. Queued for an unknown address, so that the request takes as long as others. */
  readonly none: Nothing;
  /** To all members of the shop. */
  readonly app_connected: AppEvent & By & { readonly scope: readonly string[] };
  /** `scope` has only the added scopes. */
  readonly app_widened: AppEvent & By & { readonly scope: readonly string[] };
  /**
   * `replay`: we ended the connection because its code was replayed. `reason`: the operator's text.
   * `app`, `contact`: the app's, in case the client is deleted before the mail is sent.
   */
  readonly app_disconnected: AppEvent & {
    readonly app: string;
    readonly contact?: string;
    readonly by: "client" | "operator" | "product" | "replay";
    readonly reason?: string;
  };
  readonly member_added: MemberEvent;
  readonly member_removed: MemberEvent;
  /**
   * To all members of the client. `client_secret_ended`: the former secret was ended during the
   * overlap.
   */
  readonly client_secret_made: ClientEvent;
  readonly client_secret_ended: ClientEvent;
  readonly client_member_added: ClientEvent & MemberEvent;
  readonly client_member_removed: ClientEvent & MemberEvent;
}

type Nothing = Readonly<Record<string, never>>;
export type Source = { readonly device?: string; readonly address?: string };
type By = { readonly by: string | null };
type AppEvent = { readonly client_id: string; readonly connection_id: string };
type ClientEvent = { readonly client_id: string } & By;
/** The merchant who was added or removed. */
type MemberEvent = { readonly member_id: string };

export type SecondFactorChange = "passkey_added" | "passkey_removed" | "removed_by_us";
export type MailKind = keyof MailAbout;

/** Mails to all members of a shop, or of a client. */
type MemberMailKind = Extract<MailKind, `${"app" | "member" | "client"}_${string}`>;

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

interface QueuedMail<Kind extends MailKind> {
  readonly kind: Kind;
  readonly merchantId?: string;
  readonly link?: string;
  readonly about?: MailAbout[Kind];
}

/**
 * Queues a mail. Call it in the transaction of the change that the mail reports: either both are
 * committed or neither. The mail is sent after `waitSeconds`.
 */
export async function queueMail<Kind extends Exclude<MailKind, MemberMailKind>>(
  sql: Queries,
  { kind, merchantId = "", link = "", about }: QueuedMail<Kind>,
  waitSeconds = 0,
): Promise<void> {
  await sql`
    SELECT oauth.add_mail(${kind}, ${merchantId || null}, NULL, ${sql.json(about ?? {})}, ${link || null},
      now() + ${waitSeconds} * interval '1 second')`;
}

/**
 * Queues a mail of one kind for each member of the shops or clients in `told`. Indexes:
 * memberships_by_shop, client_members_by_client.
 */
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

/** Deletes unsent mails: to a merchant, about a shop, or about a client except app_disconnected. */
export async function eraseMails(
  sql: Queries,
  of: { readonly merchantId?: string; readonly shopId?: string; readonly clientId?: string },
): Promise<void> {
  await sql`SELECT oauth.erase_mails(${of.merchantId ?? null}, ${of.shopId ?? null}, ${of.clientId ?? null})`;
}
