import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { queueMail } from "@partner-connect/mail";
import { lockNames } from "../clients/client-name.ts";
import type { ClientSummary } from "../clients/client-row.ts";
import { lockClient } from "../clients/clients.ts";
import { applyUpdate } from "../clients/update-client.ts";
import { DirectoryError } from "../directory-error.ts";
import { withoutUnseen } from "../display-name.ts";
import { type ClientRequest, requireOpenRequest } from "./client-request.ts";
import { requestedUpdate } from "./requested-changes.ts";

const MAX_REASON_LENGTH = 500;

interface Approval {
  /** The logo that was asked for, decoded and made ready to be stored. */
  readonly logo?: Buffer | undefined;
  readonly allowDuplicateName?: boolean | undefined;
}

/**
 * Changes the client as the request asks, by the rules of an operator's own update, and tells who asked. Of two decisions the first
 * one counts. Needs the owner's role. Index: client_requests_pkey.
 * @throws {DirectoryError} UNKNOWN_REQUEST, REQUEST_DECIDED, REQUEST_OUTDATED, CLIENT_NAME_TAKEN, and what `updatedClient` throws
 */
export async function approveRequest(sql: Sql, id: string, approval: Approval, actor: Actor): Promise<ClientSummary> {
  const { clientId, changes } = await requireOpenRequest(sql, id);
  return await transaction(sql, async (tx) => {
    if (changes.name) await lockNames(tx);
    await decide(tx, id, { status: "approved", reason: null }, actor);
    const client = await lockClient(tx, clientId);
    return await applyUpdate(tx, client, { ...requestedUpdate(client, changes), ...approval }, actor);
  });
}

/** Tells who asked why it is not done. @throws {DirectoryError} UNKNOWN_REQUEST, REQUEST_DECIDED, INVALID_REASON. Index: client_requests_pkey. */
export async function declineRequest(sql: Sql, id: string, given: string, actor: Actor): Promise<void> {
  const reason = withoutUnseen(given);
  if (reason === "" || reason.length > MAX_REASON_LENGTH) {
    throw new DirectoryError("INVALID_REASON", `the reason must have 1 to ${MAX_REASON_LENGTH} characters`);
  }
  await transaction(sql, (tx) => decide(tx, id, { status: "declined", reason }, actor));
}

async function decide(
  tx: Queries,
  id: string,
  { status, reason }: Pick<ClientRequest, "status" | "reason">,
  actor: Actor,
): Promise<void> {
  const [decided] = await tx<{ clientId: string; merchantId: string }[]>`
    UPDATE directory.client_requests SET status = ${status}, reason = ${reason}, decided_at = now(), logo = NULL
    WHERE id = ${id} AND status = 'open' RETURNING client_id AS "clientId", asked_by AS "merchantId"`;
  if (!decided) {
    await requireOpenRequest(tx, id);
    throw new Error(`the request ${id} is open, and can't be decided`);
  }
  const { clientId, merchantId } = decided;
  const isApproved = status === "approved";
  const action = isApproved ? "client_approve_request" : "client_decline_request";
  await recordAudit(tx, { action, clientId, detail: { request: id, ...(reason !== null && { reason }) } }, actor);
  await queueMail(
    tx,
    isApproved
      ? { kind: "client_request_approved", merchantId, about: { client_id: clientId } }
      : { kind: "client_request_declined", merchantId, about: { client_id: clientId, reason: reason ?? "" } },
  );
}
