import { type Actor, recordAudit } from "@partner-connect/audit";
import { type ListPage, listPage, type Queries, type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import type { Client } from "./client.ts";
import { lockNames, requireFreeName } from "./client-name.ts";
import { type ClientRow, type ClientSummary, clientColumns, clientOf } from "./client-row.ts";

/** Clients, oldest first: for operators. */
export async function listClients(
  sql: Sql,
  { status, ...page }: ListPage & { readonly status?: Client["status"] | undefined } = {},
): Promise<ClientSummary[]> {
  const rows = await sql<ClientRow[]>`
    SELECT ${clientColumns(sql)} FROM directory.clients c WHERE ${status === undefined ? sql`true` : sql`c.status = ${status}`}
    ${listPage(sql, page, "c.client_id", ["c.name", "c.publisher"])}`;
  return rows.map(clientOf);
}

/**
 * Disables or enables a client. While it is disabled, the API refuses its access tokens from the next request on. The
 * authorization server caches clients for half a second, and then refuses it everywhere. Index: clients_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, CLIENT_NAME_TAKEN
 */
export async function setClientStatus(
  sql: Sql,
  clientId: string,
  status: Client["status"],
  actor: Actor,
  allowDuplicateName = false,
): Promise<ClientSummary> {
  return await transaction(sql, async (tx) => {
    await lockNames(tx);
    const client = await lockClient(tx, clientId);
    if (client.status === status) return client;
    if (status === "active" && !allowDuplicateName) await requireFreeName(tx, client.name, clientId);
    await tx`UPDATE directory.clients SET status = ${status} WHERE client_id = ${clientId}`;
    if (status === "active") await tx`SELECT oauth.add_hints(ARRAY[${clientId}]::text[], NULL)`;
    await recordAudit(tx, { action: status === "active" ? "client_enable" : "client_disable", clientId }, actor);
    return { ...client, status };
  });
}

/**
 * The client's row, locked until the transaction ends. Merchants can still approve it. Index: clients_pkey. @throws {DirectoryError}
 * UNKNOWN_CLIENT
 */
export async function lockClient(sql: Queries, clientId: string): Promise<ClientSummary> {
  const [row] = await sql<ClientRow[]>`
    SELECT ${clientColumns(sql)} FROM directory.clients c WHERE c.client_id = ${clientId} FOR NO KEY UPDATE OF c`;
  if (!row) throw unknownClient(clientId);
  return clientOf(row);
}

export function unknownClient(clientId: string): DirectoryError {
  return new DirectoryError("UNKNOWN_CLIENT", `there is no client ${JSON.stringify(clientId)}`);
}
