import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { Client } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import type { FormTokens } from "./form-token.ts";
import type { KnownEmail } from "./known-email.ts";
import type { MerchantSignIn } from "./merchant-sign-in.ts";
import type { PageMail } from "./page-mail.ts";
import type { ReturnPaths } from "./return-paths.ts";
import type { SealedForBrowser } from "./sealed-for-browser.ts";

export interface PageContext {
  readonly sql: Sql;
  readonly formTokens: FormTokens;
  readonly sealed: SealedForBrowser;
  readonly returns: ReturnPaths;
  readonly knownEmail: KnownEmail;
  readonly signIn: MerchantSignIn;
  /** False: merchants sign in with an account elsewhere alone. */
  readonly hasPasswords: boolean;
  /** Null: mail is off, and operators send links. */
  readonly mail: PageMail | null;
  readonly publicBaseUrl: string;
  /** Also one that is disabled. It may be half a second old. */
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly refreshTokenTtlSeconds: number;
  readonly authorizationCodeTtlSeconds: number;
}

/** Where a request came from, for the audit log. */
export function originOf(request: FastifyRequest): Omit<Actor, "name"> {
  return { ip: request.ip, requestId: request.id };
}

export function merchantActor(request: FastifyRequest, merchant: { readonly id: string }): Actor {
  return { name: `merchant:${merchant.id}`, ...originOf(request) };
}
