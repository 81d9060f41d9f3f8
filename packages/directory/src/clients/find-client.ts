import type { Sql } from "@partner-connect/database";
import type { Client } from "./client.ts";
import { type ClientRow, clientColumns, clientOf } from "./client-row.ts";

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
