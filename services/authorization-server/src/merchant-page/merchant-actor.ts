import type { Actor } from "@partner-connect/audit";
import type { FastifyRequest } from "fastify";

/** The merchant who sent the request, for the audit log. */
export function merchantActor(request: FastifyRequest, merchant: { readonly id: string }): Actor {
  return { name: `merchant:${merchant.id}`, ip: request.ip, requestId: request.id };
}
