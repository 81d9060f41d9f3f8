import type { Sql } from "@partner-connect/database";

/** Whether the client is connected to the shop, and has used the connection within a day (and an hour, as uses are noted). Index: connections_pkey. */
export async function isUsed(
  sql: Sql,
  { shopId, clientId }: { readonly shopId: string; readonly clientId: string },
): Promise<boolean> {
  const used = await sql`
    SELECT FROM oauth.connections WHERE shop_id = ${shopId} AND client_id = ${clientId} AND status = 'connected'
      AND coalesce(last_used_at, exchanged_at) > now() - interval '25 hours'`;
  return used.length === 1;
}
