import type { FastifyReply } from "fastify";

/** 405, in JSON everywhere: nothing that a merchant's browser does by itself leads here. */
export function methodNotAllowed(reply: FastifyReply, allow: string): FastifyReply {
  return reply.code(405).header("allow", allow).send({ error: "method_not_allowed" });
}
