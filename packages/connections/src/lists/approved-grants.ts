import type { Scope } from "@partner-connect/contract";
import type { Sql } from "@partner-connect/database";
import { ofShops } from "./list-connections.ts";

export interface ApprovedGrant {
  readonly shopId: string;
  readonly grantId: string;
  readonly scope: readonly Scope[];
  /** Whether its code was exchanged. */
  readonly isExchanged: boolean;
}

/** What this merchant has approved for the client and these shops, as far as it has not ended or been replaced. Index: connections_pkey. */
export async function approvedGrants(
  sql: Sql,
  { clientId, merchantId, shopIds }: { clientId: string; merchantId: string; shopIds: readonly string[] },
): Promise<ApprovedGrant[]> {
  return await sql<ApprovedGrant[]>`
    SELECT c.shop_id AS "shopId", c.grant_id AS "grantId", c.scope, c.exchanged_at IS NOT NULL AS "isExchanged"
    FROM oauth.connections c
    WHERE ${ofShops(sql, "c.shop_id", shopIds)} AND c.client_id = ${clientId} AND c.merchant_id = ${merchantId}
      AND c.status <> 'revoked'`;
}
