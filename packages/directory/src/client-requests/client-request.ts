import type { Queries, Sql, Statement } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import type { RequestedChanges } from "./requested-changes.ts";

/** What a partner asked an operator for. */
export interface ClientRequest {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly changes: RequestedChanges;
  readonly askedBy: { readonly id: string; readonly name: string; readonly email: string };
  readonly status: "open" | "approved" | "declined";
  /** Why it was declined. */
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly decidedAt: Date | null;
}

/** Those that wait for a decision, of this client or of all, the oldest first. Indexes: client_requests_by_client, client_requests_open. */
export async function openRequests(sql: Queries, clientId?: string): Promise<ClientRequest[]> {
  const ofClient = clientId === undefined ? sql`` : sql`AND r.client_id = ${clientId}`;
  return await requests(sql, sql`r.status = 'open' ${ofClient} ORDER BY r.created_at, r.id`);
}

/** A client's last requests, the newest first: those that wait and those that were decided. Index: client_requests_by_client. */
export async function requestsOfClient(sql: Queries, clientId: string): Promise<ClientRequest[]> {
  return await requests(sql, sql`r.client_id = ${clientId} ORDER BY r.created_at DESC, r.id DESC LIMIT 25`);
}

/** @throws {DirectoryError} UNKNOWN_REQUEST, REQUEST_DECIDED. Index: client_requests_pkey. */
export async function requireOpenRequest(sql: Queries, id: string): Promise<ClientRequest> {
  const [request] = await requests(sql, sql`r.id = ${id}`);
  if (!request) throw unknownRequest(id);
  if (request.status !== "open") {
    throw new DirectoryError("REQUEST_DECIDED", `the request ${id} is ${request.status} already`);
  }
  return request;
}

/** The logo that is asked for, as it was given. Null: none is, or it is decided. Index: client_requests_pkey. */
export async function requestedLogo(sql: Queries, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ logo: Buffer | null }[]>`SELECT logo FROM directory.client_requests WHERE id = ${id}`;
  return row?.logo ?? null;
}

/** How long the oldest one that is open has waited; 0: none is. Index: client_requests_open. */
export async function oldestRequestSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
    FROM directory.client_requests WHERE status = 'open'`;
  return row?.seconds ?? 0;
}

export function unknownRequest(id: string): DirectoryError {
  return new DirectoryError("UNKNOWN_REQUEST", `there is no request ${JSON.stringify(id)}`);
}

async function requests(sql: Queries, where: Statement): Promise<ClientRequest[]> {
  return await sql<ClientRequest[]>`
    SELECT r.id, r.client_id AS "clientId", c.name AS "clientName", r.changes, r.status, r.reason,
      json_build_object('id', m.id, 'name', m.name, 'email', m.email) AS "askedBy",
      r.created_at AS "createdAt", r.decided_at AS "decidedAt"
    FROM directory.client_requests r JOIN directory.clients c USING (client_id) JOIN directory.merchants m ON m.id = r.asked_by
    WHERE ${where}`;
}
