import type { Queries } from "@partner-connect/database";
import type { Client, ClientSecret } from "./client.ts";
import { type ClientRow, type ClientSummary, clientColumns, clientOf } from "./client-row.ts";
import { unknownClient } from "./clients.ts";

/** The client with all its secrets, expired ones included, or null. Indexes: clients_pkey, client_secrets_pkey. */
export async function findClient(sql: Queries, clientId: string): Promise<Client | null> {
  const [row] = await sql<(ClientRow & { secrets: string[] })[]>`
    SELECT ${clientColumns(sql)},
      array(SELECT concat_ws(' ', encode(s.secret_hash, 'hex'), coalesce(extract(epoch FROM s.expires_at)::text, '-'),
              coalesce(extract(epoch FROM s.last_used_at)::text, '-'))
            FROM directory.client_secrets s WHERE s.client_id = c.client_id) AS secrets
    FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) return null;
  const secrets = row.secrets.map((secret) => {
    const [hash = "", expiresAt = "-", lastUsedAt = "-"] = secret.split(" ");
    return { hash: Buffer.from(hash, "hex"), expiresAt: timeOf(expiresAt), lastUsedAt: timeOf(lastUsedAt) };
  });
  return { ...clientOf(row), secrets };
}

function timeOf(seconds: string): Date | null {
  return seconds === "-" ? null : new Date(Number(seconds) * 1000);
}

/** A client as operators see it. */
export interface ClientDetails {
  readonly client: ClientSummary;
  readonly createdAt: Date;
  /** Those that work, newest first; the secrets themselves are not kept. */
  readonly secrets: readonly (Omit<ClientSecret, "hash"> & { readonly createdAt: Date })[];
}

/** @throws {DirectoryError} UNKNOWN_CLIENT. Indexes: clients_pkey, client_secrets_pkey. */
export async function clientDetails(sql: Queries, clientId: string): Promise<ClientDetails> {
  const [row] = await sql<(ClientRow & { created_at: Date })[]>`
    SELECT ${clientColumns(sql)}, c.created_at FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) throw unknownClient(clientId);
  const secrets = await sql<ClientDetails["secrets"][number][]>`
    SELECT created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt" FROM directory.client_secrets
    WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > now())
    ORDER BY created_at DESC, expires_at DESC NULLS FIRST`;
  return { client: clientOf(row), createdAt: row.created_at, secrets: [...secrets] };
}
