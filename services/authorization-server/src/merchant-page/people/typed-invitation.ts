import { ROLES, type Role } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../forms/form-token.ts";
import type { PageContext } from "../page-context.ts";

const PURPOSE = "typed invitation";

export interface TypedInvitation {
  readonly email: string;
  readonly role: Role;
}

export function postedInvitation({ body }: FastifyRequest): TypedInvitation {
  return {
    email: formField(body, "email").trim(),
    role: formField(body, "role") === "owner" ? "owner" : "member",
  };
}

/** The query by which the page of the people has the posted form filled in again. It doesn't tell the email. */
export function typedQuery({ sealed }: PageContext, request: FastifyRequest, reply: FastifyReply): string {
  const { email, role } = postedInvitation(request);
  return `?typed=${sealed.seal(reply, PURPOSE, `${role} ${email}`)}`;
}

export function typedInvitation({ sealed }: PageContext, request: FastifyRequest): Partial<TypedInvitation> {
  const typed = sealed.open(request, PURPOSE, formField(request.query, "typed"));
  const [role, email] = typed?.split(" ") ?? [];
  const found = ROLES.find((each) => each === role);
  return found && email ? { email, role: found } : {};
}
