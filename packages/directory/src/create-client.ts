import { randomBytes } from "node:crypto";
import { isScope, SCOPES, type Scope } from "@partner-connect/access-token";
import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { GRANT_TYPES, type GrantType } from "./client.ts";
import type { ClientSummary } from "./client-row.ts";
import { newClientSecret } from "./client-secret.ts";
import { DirectoryError } from "./directory-error.ts";
import { displayName } from "./display-name.ts";
import { redirectUriProblem } from "./registrable-redirect-uri.ts";

export interface NewClient {
  /** As the consent page shows it. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scope: readonly string[];
  /** Default: both. */
  readonly grantTypes?: readonly string[] | undefined;
}

/** Registers a client. Its secret is returned here and never again: only the hash is stored. */
export async function createClient(
  sql: Sql,
  client: NewClient,
  actor: Actor,
): Promise<{ readonly client: ClientSummary; readonly secret: string }> {
  const name = displayName(client.name, "client");
  const redirectUris = requireRedirectUris(client.redirectUris);
  const scope = requireScope(client.scope);
  const grantTypes = requireGrantTypes(client.grantTypes ?? GRANT_TYPES);
  const clientId = `client_${randomBytes(12).toString("hex")}`;
  const { secret, hash } = newClientSecret();
  await transaction(sql, async (tx) => {
    await tx`
      INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
      VALUES (${clientId}, ${name}, ${redirectUris}, ${scope}, ${grantTypes})`;
    await tx`INSERT INTO directory.client_secrets (client_id, secret_hash) VALUES (${clientId}, ${hash})`;
    const detail = { name, redirect_uris: redirectUris, scope, grant_types: grantTypes };
    await recordAudit(tx, { action: "client_create", clientId, detail }, actor);
  });
  const identity = { publisher: null, website: null, privacyPolicy: null, logoPath: null };
  return { client: { clientId, name, redirectUris, scope, grantTypes, status: "active", ...identity }, secret };
}

function requireRedirectUris(uris: readonly string[]): string[] {
  if (uris.length === 0) throw new DirectoryError("INVALID_REDIRECT_URI", "a client needs at least one redirect URI");
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new DirectoryError("INVALID_REDIRECT_URI", `the redirect URI ${JSON.stringify(uri)} ${problem}`);
  }
  return [...new Set(uris)];
}

function requireScope(values: readonly string[]): Scope[] {
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined || values.length === 0) {
    const problem =
      unknown === undefined ? "a client needs at least one scope" : `${JSON.stringify(unknown)} is not a scope`;
    throw new DirectoryError("INVALID_SCOPE", `${problem}: there are ${SCOPES.join(" and ")}`);
  }
  return [...new Set(values.filter(isScope))];
}

function requireGrantTypes(values: readonly string[]): GrantType[] {
  const known = GRANT_TYPES.filter((grantType) => values.includes(grantType));
  const unknown = values.find((value) => !(GRANT_TYPES as readonly string[]).includes(value));
  if (unknown !== undefined || known.length === 0) {
    const problem =
      unknown === undefined
        ? "a client needs at least one grant type"
        : `${JSON.stringify(unknown)} is not a grant type`;
    throw new DirectoryError("INVALID_GRANT_TYPE", `${problem}: there are ${GRANT_TYPES.join(" and ")}`);
  }
  return known;
}
