/** What somebody did: an object and a verb. The events of a connection have its verbs alone. */
export type AuditAction =
  | "approve"
  | "exchange"
  | "revoke"
  | "disable"
  | "enable"
  | "code_replay"
  | "client_create"
  | "client_update"
  | "client_disable"
  | "client_enable"
  | "client_rotate_secret"
  | "api_key_create"
  | "api_key_revoke"
  | "shop_create"
  | "shop_rename"
  | "shop_set_plan"
  | "member_invite"
  | "member_uninvite"
  | "member_add"
  | "member_remove"
  | "merchant_create"
  | "merchant_disable"
  | "merchant_enable"
  | "merchant_set_password"
  | "merchant_reset_link"
  | "merchant_sign_in"
  | "merchant_sign_out_everywhere"
  | "sign_in_throttled"
  | "signing_key_generate"
  | "signing_key_announce"
  | "signing_key_activate"
  | "signing_key_retire"
  | "response_import"
  | "response_recategorize"
  | "response_delete"
  | "response_prune_deleted"
  | "question_import"
  | "audit_prune"
  | "forget"
  | "purge";

/** One record to be. Whatever it concerns is named, so that it is found by it. */
export interface AuditEvent {
  readonly action: AuditAction;
  /** With a shop the record belongs to that shop; without one, to the directory. */
  readonly shopId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  /** The merchant whom it concerns. Who did it is the actor. */
  readonly merchantId?: string | undefined;
  /** What else is worth knowing, such as the value before. No secret, and nothing that customers said. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}
