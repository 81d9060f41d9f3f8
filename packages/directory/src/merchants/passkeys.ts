import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";
import { displayName } from "../display-name.ts";
import {
  lockMerchant,
  type MerchantAccount,
  raiseSessionEpoch,
  requireMerchant,
} from "./merchants.ts";

/** A merchant's passkey, with what is needed to verify its signatures. */
export interface NewPasskey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly name: string;
  /** A COSE key. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Passkey extends NewPasskey {
  readonly createdAt: Date;
  /** Null if the passkey has not been used. */
  readonly lastUsedAt: Date | null;
}

/** The merchant's passkeys, oldest first. Index: passkeys_by_merchant. */
export async function passkeysOf(sql: Queries, merchantId: string): Promise<Passkey[]> {
  return await sql<Passkey[]>`
    SELECT id, name, public_key AS "publicKey", counter::float8 AS counter, transports, created_at AS "createdAt",
      last_used_at AS "lastUsedAt"
    FROM directory.passkeys WHERE merchant_id = ${merchantId} ORDER BY created_at, id`;
}

/**
 * True if the merchant has a passkey, and so needs a second factor. Index: passkeys_by_merchant.
 */
export async function hasPasskey(sql: Queries, merchantId: string): Promise<boolean> {
  const found = await sql`SELECT FROM directory.passkeys WHERE merchant_id = ${merchantId} LIMIT 1`;
  return found.length > 0;
}

/** Records the use of a passkey. False if the merchant lacks it now. Index: passkeys_pkey. */
export async function usePasskey(
  sql: Queries,
  merchantId: string,
  { id, counter }: Pick<NewPasskey, "id" | "counter">,
): Promise<boolean> {
  const { count } = await sql`
    UPDATE directory.passkeys SET counter = ${counter}, last_used_at = now() WHERE id = ${id} AND merchant_id = ${merchantId}`;
  return count === 1;
}

/** Maximum number of passkeys per account. */
export const MAX_PASSKEYS = 10;

/**
 * "changed": all sessions have ended, but the session that made the change continues with the epoch
 * of `merchant`. "ended": that session had ended, or the passkey can't be added or removed.
 */
export type PasskeyChange =
  | { readonly outcome: "changed"; readonly merchant: MerchantAccount }
  | { readonly outcome: "ended" };

/**
 * Adds a passkey. All sessions end: one that began with only the password must not outlive the
 * first passkey. `merchant` is the account as of the passkey check or sign-in, so the second of two
 * concurrent changes is "ended".
 * @throws {DirectoryError} INVALID_NAME
 */
export async function addPasskey(
  sql: Sql,
  merchant: MerchantAccount,
  passkey: NewPasskey,
  actor: Actor,
): Promise<PasskeyChange> {
  const name = displayName(passkey.name, "passkey");
  return await changePasskeys(sql, merchant, "passkey_added", actor, async (tx) => {
    if ((await passkeysOf(tx, merchant.id)).length >= MAX_PASSKEYS) return undefined;
    const { id, publicKey, counter, transports } = passkey;
    const [added] = await tx<{ name: string }[]>`
      INSERT INTO directory.passkeys (id, merchant_id, name, public_key, counter, transports)
      VALUES (${id}, ${merchant.id}, ${name}, ${publicKey}, ${counter}, ${transports}::text[])
      ON CONFLICT (id) DO NOTHING RETURNING name`;
    return added;
  });
}

/** Removes a passkey. All sessions end, because one of them may be on a lost device. */
export async function removePasskey(sql: Sql, merchant: MerchantAccount, id: string, actor: Actor) {
  return await changePasskeys(sql, merchant, "passkey_removed", actor, async (tx) => {
    const [removed] = await tx<{ name: string }[]>`
      DELETE FROM directory.passkeys WHERE id = ${id} AND merchant_id = ${merchant.id} RETURNING name`;
    return removed;
  });
}

/**
 * Calls `work`, which returns the changed passkey's name, if the account is still active and no
 * session has been ended since it was read. Then records the change and ends all sessions.
 */
async function changePasskeys(
  sql: Sql,
  { id, sessionEpoch }: MerchantAccount,
  change: keyof typeof ACTIONS,
  actor: Actor,
  work: (tx: Queries) => Promise<{ readonly name: string } | undefined>,
): Promise<PasskeyChange> {
  return await transaction(sql, async (tx) => {
    const now = await lockMerchant(tx, id);
    const isAsJudged = now.status === "active" && now.sessionEpoch === sessionEpoch;
    const changed = isAsJudged ? await work(tx) : undefined;
    if (!changed) return { outcome: "ended" };
    return { outcome: "changed", merchant: await recordAndSignOut(tx, id, change, changed, actor) };
  });
}

/**
 * Removes all passkeys of a merchant who has lost one, for an operator: the password is enough to
 * sign in again. All sessions end. @returns how many passkeys were removed; 0 changes nothing
 * @throws {DirectoryError} UNKNOWN_MERCHANT
 */
export async function removeAllPasskeys(sql: Sql, email: string, actor: Actor): Promise<number> {
  const { id: merchantId } = await requireMerchant(sql, email);
  return await transaction(sql, async (tx) => {
    await lockMerchant(tx, merchantId);
    const passkeys = await deletePasskeys(tx, merchantId);
    if (passkeys === 0) return 0;
    await recordAndSignOut(tx, merchantId, "removed_by_us", { passkeys }, actor);
    return passkeys;
  });
}

/**
 * Deletes all passkeys, and returns how many. Call it in a transaction that has locked the
 * merchant's row. Index: passkeys_by_merchant.
 */
export async function deletePasskeys(tx: Queries, merchantId: string): Promise<number> {
  return (await tx`DELETE FROM directory.passkeys WHERE merchant_id = ${merchantId}`).count;
}

const ACTIONS = {
  passkey_added: "merchant_add_passkey",
  passkey_removed: "merchant_remove_passkey",
  removed_by_us: "merchant_remove_passkey",
} as const;

/**
 * Records a change of a merchant's passkeys, queues the mail to the merchant, and ends all
 * sessions. Call it in the transaction of the change.
 */
async function recordAndSignOut(
  tx: Queries,
  merchantId: string,
  change: keyof typeof ACTIONS,
  detail: { readonly name: string } | { readonly passkeys: number },
  actor: Actor,
): Promise<MerchantAccount> {
  await recordAudit(tx, { action: ACTIONS[change], merchantId, detail }, actor);
  await queueMail(tx, { kind: "second_factor_changed", merchantId, about: { change } });
  return await raiseSessionEpoch(tx, merchantId);
}
