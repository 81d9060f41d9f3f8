import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import type { ISql } from "postgres";
import type { Client } from "./client.ts";
import { DirectoryError } from "./directory-error.ts";

/** A client without its secrets. */
export type ClientSummary = Omit<Client, "secrets">;

/** All clients, oldest first: for operators. */
export async function listClients(sql: Sql): Promise<ClientSummary[]> {
  return await sql<ClientSummary[]>`SELECT ${summary(sql)} FROM directory.clients ORDER BY created_at, client_id`;
}

/**
 * Disables or enables a client. While it is disabled, the API refuses its access tokens from the next request on. The
 * authorization server caches clients for half a second, and then refuses it everywhere. Index: clients_pkey.
 */
export async function setClientStatus(
  sql: Sql,
  clientId: string,
  status: Client["status"],
  actor: Actor,
): Promise<ClientSummary> {
  return await transaction(sql, async (tx) => {
    const client = await lockClient(tx, clientId);
    if (client.status === status) return client;
    await tx`UPDATE directory.clients SET status = ${status} WHERE client_id = ${clientId}`;
    await recordAudit(tx, { action: status === "active" ? "client_enable" : "client_disable", clientId }, actor);
    return { ...client, status };
  });
}

/** The client's row, locked until the transaction ends. Index: clients_pkey. */
export async function lockClient(sql: ISql, clientId: string): Promise<ClientSummary> {
  const [client] = await sql<ClientSummary[]>`
    SELECT ${summary(sql)} FROM directory.clients WHERE client_id = ${clientId} FOR UPDATE`;
  if (!client) throw unknownClient(clientId);
  return client;
}

function summary(sql: ISql) {
  return sql`client_id AS "clientId", name, redirect_uris AS "redirectUris", scope, grant_types AS "grantTypes", status`;
}

function unknownClient(clientId: string): DirectoryError {
  return new DirectoryError("UNKNOWN_CLIENT", `there is no client ${JSON.stringify(clientId)}`);
}
