import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";

const ACTIONS = {
  passkey_added: "merchant_add_passkey",
  passkey_removed: "merchant_remove_passkey",
  removed_by_us: "merchant_remove_passkey",
  codes_made: "merchant_make_recovery_codes",
  code_used: "merchant_use_recovery_code",
} as const;

/** The record of a change of a merchant's second factor, and the mail that tells the merchant. Call it in the transaction of the change. */
export async function tellChange(
  tx: Queries,
  merchantId: string,
  change: keyof typeof ACTIONS,
  detail: Readonly<Record<string, unknown>>,
  actor: Actor,
): Promise<void> {
  await recordAudit(tx, { action: ACTIONS[change], merchantId, detail }, actor);
  await queueMail(tx, { kind: "second_factor_changed", merchantId, about: { change } });
}
