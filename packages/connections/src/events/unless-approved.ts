import { type Sql, transaction } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import type { Approval } from "./approve.ts";

/** Ends the transaction: it is there for its locks alone. */
class RolledBack extends Error {}

/**
 * Runs `work` if the approval was not committed, and returns its result; null if it was. It waits for a commit that is under way, and
 * holds up any other until `work` has ended. A write waits for the row also where there is none yet. Index: connections_pkey.
 */
export async function unlessApproved<T>(
  sql: Sql,
  approval: Pick<Approval, "shopId" | "clientId" | "merchantId" | "grantId">,
  work: () => Promise<T>,
): Promise<T | null> {
  const { shopId, clientId, merchantId, grantId } = approval;
  let result: T | null = null;
  const locked = transaction(sql, async (tx) => {
    const [row] = await tx<{ grantId: string }[]>`
      INSERT INTO oauth.connections AS c (shop_id, client_id, status, grant_id, scope, merchant_id)
      VALUES (${shopId}, ${clientId}, ${TRANSITIONS.approve.none}, '', '{}', ${merchantId})
      ON CONFLICT (shop_id, client_id) DO UPDATE SET grant_id = c.grant_id
      RETURNING grant_id AS "grantId"`;
    if (row?.grantId !== grantId) result = await work();
    throw new RolledBack();
  });
  await locked.catch((error) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return result;
}
