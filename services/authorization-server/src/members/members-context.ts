import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { FastifyRequest } from "fastify";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import type { MerchantSignIn } from "../merchant-page/merchant-sign-in.ts";

/** What the pages about members work with. */
export interface MembersContext {
  readonly sql: Sql;
  readonly formTokens: FormTokens;
  readonly signIn: MerchantSignIn;
  /** The base of invitation links, wherever the owner is. */
  readonly publicBaseUrl: string;
}

/** Where a request came from, for the audit log. */
export function originOf(request: FastifyRequest): Omit<Actor, "name"> {
  return { ip: request.ip, requestId: request.id };
}
