import type { Scope } from "@partner-connect/access-token";
import type { Sql } from "@partner-connect/database";
import type { Client, GrantType } from "./client.ts";

/** The client with all its secrets, expired ones included, or null. Indexes: clients_pkey, client_secrets_pkey. */
export async function findClient(sql: Sql, clientId: string): Promise<Client | null> {
  const [row] = await sql<ClientRow[]>`
    SELECT c.client_id, c.name, c.redirect_uris, c.scope, c.grant_types, c.status,
      array(SELECT encode(s.secret_hash, 'hex') || ' ' || coalesce(extract(epoch FROM s.expires_at)::text, '')
            FROM directory.client_secrets s WHERE s.client_id = c.client_id) AS secrets
    FROM directory.clients c WHERE c.client_id = ${clientId}`;
  if (!row) return null;
  return {
    clientId: row.client_id,
    name: row.name,
    redirectUris: row.redirect_uris,
    scope: row.scope,
    grantTypes: row.grant_types,
    status: row.status,
    secrets: row.secrets.map((secret) => {
      const [hash = "", expiresAt] = secret.split(" ");
      return { hash: Buffer.from(hash, "hex"), expiresAt: expiresAt ? new Date(Number(expiresAt) * 1000) : null };
    }),
  };
}

interface ClientRow {
  client_id: string;
  name: string;
  redirect_uris: string[];
  scope: Scope[];
  grant_types: GrantType[];
  status: Client["status"];
  secrets: string[];
}
