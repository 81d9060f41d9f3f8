import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../merchant-page/forms/form-field.ts";
import type { SignInContext } from "./sign-in-context.ts";

/**
 * Ends this browser's session, or every session of the merchant. Forms that are open stay valid, because their tokens
 * belong to the browser. What such a form does is judged by the session that there is then.
 */
export async function signOut(context: SignInContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const where = formField(request.body, "where") === "everywhere" ? "everywhere" : "here";
  await context.session.end(request, reply, where);
}
