import type { Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";

/** An authorization request that passed every rule and waits for its merchant. Bound to the browser that began it. */
export interface PendingAuthorization {
  readonly uid: string;
  /** As it is now: it may have been disabled meanwhile. */
  readonly client: Client;
  /** As presented, validated. */
  readonly redirectUri: string;
  /** As requested. */
  readonly scope: readonly Scope[];
  /** At least 128 random bits of this authorization alone, never shown to anybody. */
  readonly csrfSeed: string;
}

/** The seam between the merchant pages and the library that runs the authorization. */
export interface PendingAuthorizations {
  /** The one of this URL's uid, if this browser began it and it has not ended; else null. */
  find(request: FastifyRequest, reply: FastifyReply, uid: string): Promise<PendingAuthorization | null>;
  /** Records the approval for the library and says where to send the browser: a relative URL that ends in the 302 to the partner. */
  approve(
    request: FastifyRequest,
    reply: FastifyReply,
    pending: PendingAuthorization,
    grant: { grantId: string; shopId: string; scope: readonly Scope[] },
  ): Promise<string>;
  decline(request: FastifyRequest, reply: FastifyReply, pending: PendingAuthorization): Promise<string>;
}
