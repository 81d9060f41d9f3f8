import type { Scope } from "@partner-connect/contract";
import type { Queries } from "@partner-connect/database";
import type { Client, GrantType } from "./client.ts";
import { logoPath } from "./client-logo.ts";

/** A client without its secrets. */
export type ClientSummary = Omit<Client, "secrets">;

/** What {@link clientOf} reads, of directory.clients as `c`. */
export function clientColumns(sql: Queries) {
  return sql`
    c.client_id, c.name, c.redirect_uris, c.scope, c.optional_scope, c.grant_types, c.status, c.publisher, c.website, c.privacy_policy, c.contact, c.verified_at,
    c.logo_digest`;
}

export interface ClientRow {
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scope: Scope[];
  readonly optional_scope: Scope[];
  readonly grant_types: GrantType[];
  readonly status: Client["status"];
  readonly publisher: string | null;
  readonly website: string | null;
  readonly privacy_policy: string | null;
  readonly contact: string | null;
  readonly verified_at: Date | null;
  readonly logo_digest: string | null;
}

export function clientOf(row: ClientRow): ClientSummary {
  return {
    clientId: row.client_id,
    name: row.name,
    redirectUris: row.redirect_uris,
    scope: row.scope,
    optionalScope: row.optional_scope,
    grantTypes: row.grant_types,
    status: row.status,
    publisher: row.publisher,
    website: row.website,
    privacyPolicy: row.privacy_policy,
    contact: row.contact,
    verifiedAt: row.verified_at,
    logoPath: row.logo_digest === null ? null : logoPath(row.client_id, row.logo_digest),
  };
}
