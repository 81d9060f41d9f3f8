import { type Actor, eraseNames, formerEmails, recordAudit } from "@partner-connect/audit";
import { forgetClientActivity, forgetConnections, revokeAll } from "@partner-connect/connections";
import { type Sql, type Transaction, transaction } from "@partner-connect/database";
import {
  anonymizeMerchant,
  deleteClient,
  deleteShop,
  disableForErasure,
  erasePassword,
  markShopErasure,
  revokeApiKeys,
  rowsOfErasingShop,
  setClientStatus,
  shopsOfMerchant,
  testShopsOf,
} from "@partner-connect/directory";
import { eraseMails } from "@partner-connect/mail";
import { deleteSurveyData } from "@partner-connect/survey-data";
import { UNTIL_EXPIRED } from "./keys.ts";

type Report = (done: number) => void;
type Detail = Readonly<Record<string, unknown>>;

/** Ends all access of partners to a shop that is being erased. Idempotent. */
export async function endShopAccess(sql: Sql, shopId: string, actor: Actor): Promise<void> {
  await revokeAll(sql, { shopId }, actor, { whileErasing: true });
  await revokeApiKeys(sql, shopId, actor);
}

/**
 * Erases everything stored about a shop, in batches. After a failure, call it again to continue.
 * Needs the owner's role or the back office's.
 * @param report gets the number of rows deleted so far
 */
export const eraseShop: typeof eraseMarkedShop = async (sql, id, actor, ...more) => {
  await markShopErasure(sql, id, actor);
  return await eraseMarkedShop(sql, id, actor, ...more);
};

/** Like {@link eraseShop}, for a shop that is already marked. A new shop with this id stays. */
export async function eraseMarkedShop(
  sql: Sql,
  id: string,
  actor: Actor,
  keys = UNTIL_EXPIRED,
  report: Report = () => {},
) {
  await endShopAccess(sql, id, actor);
  const rows = await deleteSurveyData(sql, rowsOfErasingShop(id), report);
  const connections = await forgetConnections(sql, { shopId: id }, actor, keys.deleteTokenUses);
  report(rows + connections);
  const counts = { rows, connections };
  const records = await transaction(sql, async (tx) => {
    // If another process has erased the shop, a new shop with this id keeps its names.
    if (!(await deleteShop(tx, id))) return 0;
    await eraseMails(tx, { shopId: id });
    return await eraseNamesFromAudit(tx, "shop", id, counts, actor);
  });
  return { ...counts, audit_records: records };
}

/**
 * Disables a merchant, so that nobody can sign in, and erases the account and its keys in Redis.
 * @throws {DirectoryError} LAST_MEMBER
 */
export async function eraseMerchant(
  sql: Sql,
  id: string,
  actor: Actor,
  keys: typeof UNTIL_EXPIRED,
) {
  const { length: shops } = await shopsOfMerchant(sql, id);
  const { email } = await disableForErasure(sql, id, actor);
  let redisKeys = 0;
  for (const each of [email, ...(await formerEmails(sql, id))])
    redisKeys += await keys.deleteMerchantKeys(id, each);
  const records = await eraseAccount(sql, id, { redis_keys: redisKeys, shops }, actor);
  return { audit_records: records, redis_keys: redisKeys, memberships: shops };
}

/**
 * Erases the account of a merchant who is being erased, and the addresses in the audit log. Returns
 * the number of records that named the merchant.
 * @throws {DirectoryError} LAST_MEMBER, after deleting only the password
 */
export async function eraseAccount(sql: Sql, id: string, detail: Detail, actor: Actor) {
  await erasePassword(sql, id);
  return await transaction(sql, async (tx) => {
    await anonymizeMerchant(tx, id);
    await eraseMails(tx, { merchantId: id });
    return await eraseNamesFromAudit(tx, "merchant", id, detail, actor);
  });
}

/**
 * Disables a client, and deletes it with its connections, its test shops and its usage counts.
 * After a failure, call it again to continue. @param report gets the number of revoked connections
 */
export async function eraseClient(
  sql: Sql,
  id: string,
  actor: Actor,
  keys: typeof UNTIL_EXPIRED,
  report: Report,
) {
  await setClientStatus(sql, id, "disabled", actor);
  await revokeAll(sql, { clientId: id }, actor, { onProgress: report });
  const connections = await forgetConnections(sql, { clientId: id }, actor, keys.deleteTokenUses);
  for (const { shopId } of await testShopsOf(sql, id)) await eraseShop(sql, shopId, actor, keys);
  const records = await transaction(sql, async (tx) => {
    await forgetClientActivity(tx, id);
    await eraseMails(tx, { clientId: id });
    const isGone = await deleteClient(tx, id);
    return await eraseNamesFromAudit(tx, "client", id, { connections }, isGone && actor);
  });
  return { connections, audit_records: records };
}

/**
 * Deletes the erased names from the audit log, and records who erased them. Returns the number of
 * records that had the names.
 */
async function eraseNamesFromAudit(
  tx: Transaction,
  what: "merchant" | "shop" | "client",
  id: string,
  detail: Detail,
  actor: Actor | false,
): Promise<number> {
  const records = await eraseNames(tx, what, id);
  const event = {
    merchant: { action: "merchant_erase", merchantId: id },
    shop: { action: "shop_erase", shopId: id },
    client: { action: "client_delete", clientId: id },
  } as const;
  if (actor)
    await recordAudit(tx, { ...event[what], detail: { ...detail, audit_records: records } }, actor);
  return records;
}
