import type { Sql } from "@partner-connect/database";
import { type ClientRow, type ClientSummary, clientColumns, clientOf } from "./client-row.ts";
import { unknownClient } from "./clients.ts";

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
