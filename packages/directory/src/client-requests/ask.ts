import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { lockClient } from "../clients/clients.ts";
import { DirectoryError } from "../directory-error.ts";
import { unknownRequest } from "./client-request.ts";
import { type AskedUpdate, requestedChanges } from "./requested-changes.ts";

/** Of a client, at a time: an operator reads each. */
const MAX_OPEN_REQUESTS = 5;

/** Of one request, so that it can be read. */
const MAX_REDIRECT_URIS = 20;

/** Bytes of a logo that is asked for: the gateway takes no form of more than 100 KB. */
const MAX_REQUESTED_LOGO = 64 * 1024;

/**
 * Asks the operators to change the client; the request's id. `merchantId` asks. Index: client_requests_by_client.
 * @throws {DirectoryError} TOO_MANY_REQUESTS, INVALID_LOGO, UNKNOWN_CLIENT, and what `requestedChanges` throws
 */
export async function askForChanges(
  sql: Sql,
  { clientId, merchantId }: { readonly clientId: string; readonly merchantId: string },
  asked: AskedUpdate,
  actor: Actor,
): Promise<string> {
  if (asked.logo) requireImage(asked.logo);
  if ((asked.addRedirectUris?.length ?? 0) > MAX_REDIRECT_URIS) {
    throw new DirectoryError("INVALID_REDIRECT_URI", `a request adds at most ${MAX_REDIRECT_URIS} redirect URIs`);
  }
  return await transaction(sql, async (tx) => {
    const client = await lockClient(tx, clientId);
    const changes = requestedChanges(client, asked);
    const [open] = await tx<{ count: number }[]>`
      SELECT count(*)::int AS count FROM directory.client_requests WHERE client_id = ${clientId} AND status = 'open'`;
    if ((open?.count ?? 0) >= MAX_OPEN_REQUESTS) {
      throw new DirectoryError("TOO_MANY_REQUESTS", `at most ${MAX_OPEN_REQUESTS} requests of a client wait at a time`);
    }
    const [made] = await tx<{ id: string }[]>`
      INSERT INTO directory.client_requests (client_id, asked_by, changes, logo)
      VALUES (${clientId}, ${merchantId}, ${JSON.stringify(changes)}::text::jsonb, ${asked.logo ?? null}) RETURNING id`;
    const id = made?.id ?? "";
    await recordAudit(tx, { action: "client_request", clientId, detail: { request: id, ...changes } }, actor);
    return id;
  });
}

/** By its first bytes and its size alone. Whether it can be decoded is seen when an operator has it shown. */
function requireImage(given: Buffer): void {
  const [start, type] = [given.toString("latin1", 0, 8), given.toString("latin1", 8, 12)];
  const isImage = start === "\x89PNG\r\n\x1a\n" || (start.startsWith("RIFF") && type === "WEBP");
  if (!isImage) throw new DirectoryError("INVALID_LOGO", "the logo is not a PNG or WebP image");
  if (given.length > MAX_REQUESTED_LOGO) throw new DirectoryError("INVALID_LOGO", "the logo is larger than 64 KB");
}

/** Takes an open request back. @throws {DirectoryError} UNKNOWN_REQUEST, also if it is decided. Index: client_requests_pkey. */
export async function withdrawRequest(sql: Sql, clientId: string, id: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const { count } = await tx`
      DELETE FROM directory.client_requests WHERE id = ${id} AND client_id = ${clientId} AND status = 'open'`;
    if (count === 0) throw unknownRequest(id);
    await recordAudit(tx, { action: "client_withdraw_request", clientId, detail: { request: id } }, actor);
  });
}
