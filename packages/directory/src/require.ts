import type { Sql } from "@partner-connect/database";
import { unknownClient } from "./clients/clients.ts";
import type { Shop } from "./merchants/merchant.ts";
import { unknownShop } from "./shops/shop.ts";

/** The shop. Throws UNKNOWN_SHOP. Index: shops_pkey. */
export async function requireShop(sql: Sql, id: string): Promise<Shop> {
  const [shop] = await sql<Shop[]>`SELECT id, name, domain, plan FROM directory.shops WHERE id = ${id}`;
  if (!shop) throw unknownShop(id);
  return shop;
}

/** The client's name. Throws UNKNOWN_CLIENT. Index: clients_pkey. */
export async function requireClient(sql: Sql, clientId: string): Promise<string> {
  const [client] = await sql<{ name: string }[]>`SELECT name FROM directory.clients WHERE client_id = ${clientId}`;
  if (!client) throw unknownClient(clientId);
  return client.name;
}
