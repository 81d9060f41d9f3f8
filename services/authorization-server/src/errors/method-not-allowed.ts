import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";

/** 405, in JSON on every route: a merchant's browser sends no such request by itself. */
export function methodNotAllowed(reply: FastifyReply, allow: string): FastifyReply {
  noteFacts(reply.request, { reason: "method_not_allowed" });
  return reply.code(405).header("allow", allow).send({ error: "method_not_allowed" });
}
