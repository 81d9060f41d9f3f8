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
  readonly app_disconnected: Omit<AppEvent, "by"> & { readonly by: "client" | "operator" | "replay" };
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
  /** An operator's, to try it. */
  readonly test: { readonly to: string };
  /** To nobody: written for an unknown address, so that asking costs the same. */
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

/** Those that concern a shop. They are written beside the shop's other rows. */
export type ShopMailKind = "app_connected" | "app_widened" | "app_disconnected" | "member_added" | "member_removed";
