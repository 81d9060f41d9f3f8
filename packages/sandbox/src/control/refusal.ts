import { isDatabaseFault } from "@partner-connect/database";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Says no, in one line for people. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Errors whose message was written for people: 400. */
const CLEAR = new Set(["TRIGGER", "CLOCK"]);

type Thrown = Error & { readonly status?: number; readonly statusCode?: number; readonly code?: string };

/** All that a developer needs is in the answer: nobody but the sandbox's owner can ask. */
export function sendError(error: Thrown, _request: FastifyRequest, reply: FastifyReply): void {
  if (isDatabaseFault(error)) {
    const message = "the database does not answer, as while the trigger 'unavailable' lasts: try again later";
    return void reply.code(503).send({ error: "DATABASE_UNAVAILABLE", message });
  }
  const { code = "UNEXPECTED", message, name } = error;
  const isClear = CLEAR.has(code) || name === "DirectoryError" || name === "FieldError";
  const status = error.status ?? error.statusCode ?? (isClear ? 400 : 500);
  void reply.code(status).send({ error: code, message });
}
