import assert from "node:assert/strict";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { displayName } from "../display-name.ts";
import { lockMerchant, requireMerchant } from "../merchants/lock-merchant.ts";
import { accountColumns, type MerchantAccount } from "../merchants/merchant.ts";
import { hasPasskey, type NewPasskey, passkeysOf } from "./passkey.ts";
import { storeRecoveryCodes } from "./recovery-codes.ts";
import { tellChange } from "./tell-change.ts";

/** Of one account. */
export const MAX_PASSKEYS = 10;

/** What became of a change. "ended": the session that asked has ended, or there is no such passkey. */
export type Change<Done> = ({ readonly outcome: "changed" } & Done) | { readonly outcome: "ended" };

/** The account as a change has left it: all sessions have ended, and its epoch is for the one that is to go on. */
interface Changed {
  readonly merchant: MerchantAccount;
}

/**
 * Adds a passkey. All sessions end: one that began by the password alone must not outlive the first passkey. `merchant` is as the proof was
 * judged, so that of two changes at once the second has ended. The first passkey comes with recovery codes, which are never shown again.
 * @throws {DirectoryError} INVALID_NAME
 */
export async function addPasskey(
  sql: Sql,
  merchant: MerchantAccount,
  passkey: NewPasskey,
  actor: Actor,
): Promise<Change<Changed & { readonly codes: readonly string[] | null }>> {
  const name = displayName(passkey.name, "passkey");
  return await transaction(sql, async (tx) => {
    if (!(await isAsJudged(tx, merchant))) return { outcome: "ended" };
    const others = await passkeysOf(tx, merchant.id);
    if (others.length >= MAX_PASSKEYS) return { outcome: "ended" };
    const { id, publicKey, counter, transports } = passkey;
    const { count } = await tx`
      INSERT INTO directory.passkeys (id, merchant_id, name, public_key, counter, transports)
      VALUES (${id}, ${merchant.id}, ${name}, ${publicKey}, ${counter}, ${[...transports]}::text[])
      ON CONFLICT (id) DO NOTHING`;
    if (count === 0) return { outcome: "ended" };
    const codes = others.length === 0 ? await storeRecoveryCodes(tx, merchant.id) : null;
    await tellChange(tx, merchant.id, "passkey_added", { name }, actor);
    return { outcome: "changed", merchant: await endAllSessions(tx, merchant.id), codes };
  });
}

/** Removes one. All sessions end: one of them may be on the device that was lost. With the last one the recovery codes go. */
export async function removePasskey(
  sql: Sql,
  merchant: MerchantAccount,
  id: string,
  actor: Actor,
): Promise<Change<Changed>> {
  return await transaction(sql, async (tx) => {
    if (!(await isAsJudged(tx, merchant))) return { outcome: "ended" };
    const [removed] = await tx<{ name: string }[]>`
      DELETE FROM directory.passkeys WHERE id = ${id} AND merchant_id = ${merchant.id} RETURNING name`;
    if (!removed) return { outcome: "ended" };
    if (!(await hasPasskey(tx, merchant.id))) await deleteSecondFactor(tx, merchant.id);
    await tellChange(tx, merchant.id, "passkey_removed", { name: removed.name }, actor);
    return { outcome: "changed", merchant: await endAllSessions(tx, merchant.id) };
  });
}

/** Gives one another name. @throws {DirectoryError} INVALID_NAME */
export async function renamePasskey(
  sql: Sql,
  merchant: MerchantAccount,
  { id, name }: Pick<NewPasskey, "id" | "name">,
  actor: Actor,
): Promise<Change<object>> {
  const to = displayName(name, "passkey");
  return await transaction(sql, async (tx) => {
    if (!(await isAsJudged(tx, merchant))) return { outcome: "ended" };
    const { count } =
      await tx`UPDATE directory.passkeys SET name = ${to} WHERE id = ${id} AND merchant_id = ${merchant.id}`;
    if (count === 0) return { outcome: "ended" };
    await recordAudit(tx, { action: "merchant_rename_passkey", merchantId: merchant.id, detail: { name: to } }, actor);
    return { outcome: "changed" };
  });
}

/** Ten new recovery codes; those that there were end. */
export async function makeRecoveryCodes(
  sql: Sql,
  merchant: MerchantAccount,
  actor: Actor,
): Promise<Change<{ readonly codes: readonly string[] }>> {
  return await transaction(sql, async (tx) => {
    if (!(await isAsJudged(tx, merchant)) || !(await hasPasskey(tx, merchant.id))) return { outcome: "ended" };
    const codes = await storeRecoveryCodes(tx, merchant.id);
    await tellChange(tx, merchant.id, "codes_made", {}, actor);
    return { outcome: "changed", codes };
  });
}

/**
 * An operator takes all passkeys and recovery codes of a merchant who has lost them: the password alone signs in again. All sessions end.
 * @returns how many passkeys there were; with none nothing changes
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function removeAllPasskeys(sql: Sql, email: string, actor: Actor): Promise<number> {
  const { id: merchantId } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => {
    await lockMerchant(tx, merchantId);
    const passkeys = (await passkeysOf(tx, merchantId)).length;
    if (passkeys === 0) return 0;
    await deleteSecondFactor(tx, merchantId);
    await tellChange(tx, merchantId, "removed_by_us", { passkeys }, actor);
    await endAllSessions(tx, merchantId);
    return passkeys;
  });
}

/** Deletes all passkeys and recovery codes. Inside a transaction that holds the merchant's row. Index: passkeys_by_merchant. */
export async function deleteSecondFactor(tx: Queries, merchantId: string): Promise<void> {
  await tx`DELETE FROM directory.passkeys WHERE merchant_id = ${merchantId}`;
  await tx`DELETE FROM directory.recovery_codes WHERE merchant_id = ${merchantId}`;
}

/** Locks the account, and says whether it still is active and of the epoch at which the caller's proof was judged. */
async function isAsJudged(tx: Queries, merchant: MerchantAccount): Promise<boolean> {
  const { status, sessionEpoch } = await lockMerchant(tx, merchant.id);
  return status === "active" && sessionEpoch === merchant.sessionEpoch;
}

async function endAllSessions(tx: Queries, merchantId: string): Promise<MerchantAccount> {
  const [merchant] = await tx<MerchantAccount[]>`
    UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = ${merchantId} RETURNING ${accountColumns(tx)}`;
  assert(merchant, "the merchant's row is locked");
  return merchant;
}
