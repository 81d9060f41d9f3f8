import {
  approve as approveConnection,
  isResendable,
  recordDecision,
  withdrawDecision,
} from "@partner-connect/connections";
import type { Scope } from "@partner-connect/contract";
import { transaction } from "@partner-connect/database";
import { lockMembership, type MerchantAccount, type Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";
import { registeredRedirectUri } from "../clients/registered-redirect-uri.ts";
import { merchantActor } from "../pages/page-context.ts";
import type { ConsentContext } from "./consent-context.ts";
import { type Choice, codeOf, decisionOf, grantOf } from "./decision.ts";
import type { OpenAuthorization } from "./sealed-request.ts";

export interface Approval {
  readonly merchant: MerchantAccount;
  readonly shop: Shop;
  readonly scope: readonly Scope[];
}

export type Outcome =
  | { readonly code: string }
  /** An operator holds the connection; nothing was committed. */
  | "connection_disabled"
  /** The merchant is no member of the shop any more, or her sessions have ended. */
  | "shop_not_offered"
  /** Another decision was first, or the code of this one can't be used any more. */
  | "ended";

/**
 * Commits the approval, and has the code issued. Grant id and code are derived from the authorization and the choice, so the same approval
 * sent again leads to the same code, and completes what a crash after the commit has left.
 * After a 503 that was given before COMMIT was sent, nothing is committed (the pool's deadline). @throws a fault of a store
 */
export async function approve(
  context: ConsentContext,
  request: FastifyRequest,
  authorization: OpenAuthorization,
  { merchant, shop, scope }: Approval,
): Promise<Outcome> {
  const { codes, codeReplayGraceSeconds, authorizationCodeTtlSeconds } = context;
  const { client, clientId, redirectUri, codeChallenge } = authorization;
  noteFacts(request, { shopId: shop.id });
  const choice: Choice = [merchant.id, shop.id, ...scope];
  const decision = decisionOf(authorization, ["approve", ...choice]);
  const ids = { clientId, shopId: shop.id, grantId: grantOf(authorization, choice) };
  const registered = registeredRedirectUri(redirectUri, client.redirectUris);
  const connection = { ...ids, merchantId: merchant.id, scope, redirectUri: registered };
  const actor = merchantActor(request, merchant);

  const committed = await transaction(context.sql, async (tx) => {
    if (!(await lockMembership(tx, merchant, shop.id))) return "shop_not_offered";
    const recorded = await recordDecision(tx, decision);
    if (recorded === "other") return "ended";
    if (recorded === "new") {
      if (await approveConnection(tx, connection, actor)) return { ttl: authorizationCodeTtlSeconds };
      await withdrawDecision(tx, decision);
      return "connection_disabled";
    }
    // A second redemption after the grace ends the connection, so the browser may take the code along for the first half of it.
    const ttl = Math.ceil(authorizationCodeTtlSeconds - recorded.secondsAgo);
    return ttl > 0 && (await isResendable(tx, ids, codeReplayGraceSeconds / 2)) ? { ttl } : "ended";
  });
  if (typeof committed === "string") return committed;

  const code = codeOf(authorization, choice);
  await codes.issue({ ...ids, redirectUri, codeChallenge, scope, code, ttl: committed.ttl });
  noteFacts(request, { outcome: "approved" });
  return { code };
}
