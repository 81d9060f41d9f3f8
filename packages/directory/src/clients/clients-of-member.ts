import type { Sql } from "@partner-connect/database";
import type { Role } from "../members/role.ts";
import { type ClientRow, type ClientSummary, clientColumns, clientOf } from "./client-row.ts";

/** A client that somebody belongs to. */
export interface ClientOfMember {
  readonly client: ClientSummary;
  readonly role: Role;
}

/** The clients that the account belongs to, by name; or the one of this id, if it does. Indexes: client_members_pkey, clients_pkey. */
export async function clientsOfMember(sql: Sql, merchantId: string, clientId?: string): Promise<ClientOfMember[]> {
  const rows = await sql<(ClientRow & { role: Role })[]>`
    SELECT ${clientColumns(sql)}, m.role FROM directory.client_members m JOIN directory.clients c ON c.client_id = m.client_id
    WHERE m.merchant_id = ${merchantId} ${clientId === undefined ? sql`` : sql`AND m.client_id = ${clientId}`}
    ORDER BY c.name, c.client_id`;
  return rows.map((row) => ({ client: clientOf(row), role: row.role }));
}
