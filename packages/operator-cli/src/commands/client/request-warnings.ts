import type { Sql } from "@partner-connect/database";
import { type ClientRequest, type ClientSummary, DirectoryError } from "@partner-connect/directory";

/** What an operator looks at before approving a request: a phrase each. */
export async function requestWarnings(sql: Sql, request: ClientRequest): Promise<string[]> {
  const { clientDetails, requestedUpdate, requireFreeName } = await import("@partner-connect/directory");
  const { client } = await clientDetails(sql, request.clientId);
  const { name } = request.changes;
  return [
    ...newHosts(client, request),
    ...(request.changes.scope?.added ?? []).map((scope) => `merchants could be asked for ${scope} too`),
    ...vouched(client, request),
    ...(await problem(() => requestedUpdate(client, request.changes))),
    ...(name ? await problem(() => requireFreeName(sql, name.to, client.clientId)) : []),
    ...(await undecodable(sql, request)),
  ];
}

function newHosts({ redirectUris }: ClientSummary, { changes }: ClientRequest): string[] {
  const known = new Set(redirectUris.map((uri) => new URL(uri).hostname));
  const added = new Set((changes.redirect_uris?.added ?? []).map((uri) => new URL(uri).hostname));
  return [...added.difference(known)].map((host) => `${host} is a new host, to which codes would be sent`);
}

function vouched({ verifiedAt }: ClientSummary, { changes }: ClientRequest): string[] {
  const concerns = changes.name ?? changes.logo ?? changes.redirect_uris?.added.length;
  return verifiedAt && concerns ? [`you vouch for the client as it is, since ${verifiedAt.toISOString()}`] : [];
}

async function undecodable(sql: Sql, { id, changes }: ClientRequest): Promise<string[]> {
  const { requestedLogo } = await import("@partner-connect/directory");
  const given = changes.logo ? await requestedLogo(sql, id) : null;
  if (!given) return [];
  const { makeLogo } = await import("./logo/logo-image.ts");
  return await problem(() => makeLogo(given));
}

async function problem(rule: () => unknown): Promise<string[]> {
  try {
    await rule();
    return [];
  } catch (error) {
    if (error instanceof DirectoryError) return [error.message];
    throw error;
  }
}
