import type { Sql } from "@partner-connect/database";
import type { Client } from "./client.ts";
import { type ClientRow, type ClientSummary, clientColumns, clientOf } from "./client-row.ts";
import { unknownClient } from "./clients.ts";

/** The client with all its secrets, expired ones included, or null. Indexes: clients_pkey, client_secrets_pkey. */
export async function findClient(sql: Sql, clientId: string): Promise<Client | null> {
  const [row] = await sql<(ClientRow & { secrets: string[] })[]>`
    SELECT ${clientColumns(sql)},
      array(SELECT encode(s.secret_hash, 'hex') || ' ' || coalesce(extract(epoch FROM s.expires_at)::text, '')
            FROM directory.client_secrets s WHERE s.client_id = c.client_id) AS secrets
    FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) return null;
  const secrets = row.secrets.map((secret) => {
    const [hash = "", expiresAt] = secret.split(" ");
    return { hash: Buffer.from(hash, "hex"), expiresAt: expiresAt ? new Date(Number(expiresAt) * 1000) : null };
  });
  return { ...clientOf(row), secrets };
}

/** A client as operators see it. */
export interface ClientDetails {
  readonly client: ClientSummary;
  readonly createdAt: Date;
  /** Those that work, newest first; the secrets themselves are not kept. */
  readonly secrets: readonly { readonly createdAt: Date; readonly expiresAt: Date | null }[];
}

/** @throws {DirectoryError} UNKNOWN_CLIENT. Indexes: clients_pkey, client_secrets_pkey. */
export async function clientDetails(sql: Sql, clientId: string): Promise<ClientDetails> {
  const [row] = await sql<(ClientRow & { created_at: Date })[]>`
    SELECT ${clientColumns(sql)}, c.created_at FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) throw unknownClient(clientId);
  const secrets = await sql<ClientDetails["secrets"][number][]>`
    SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM directory.client_secrets
    WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > now())
    ORDER BY created_at DESC, expires_at DESC NULLS FIRST`;
  return { client: clientOf(row), createdAt: row.created_at, secrets: [...secrets] };
}
