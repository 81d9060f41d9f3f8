import { createHmac } from "node:crypto";
import type { Scope } from "@partner-connect/access-token";
import { approve } from "@partner-connect/connections";
import { within } from "@partner-connect/database";
import type { Merchant, Shop } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DATABASE_DEADLINE_MS, type MerchantContext } from "./merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

export interface Choice {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly scope: readonly Scope[];
}

/**
 * Commits the approval, from which moment the connection has exactly this scope, and then tells the library. Returns
 * where to send the browser; null if an operator holds the connection.
 */
export async function approveConnection(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  choice: Choice,
): Promise<string | null> {
  const { merchant, shop, scope } = choice;
  const grantId = grantIdOf(pending, choice);
  const approval = { shopId: shop.id, clientId: pending.client.clientId, merchantId: merchant.id, grantId, scope };
  const actor = { name: `merchant:${merchant.id}`, ip: request.ip };
  if (!(await within(DATABASE_DEADLINE_MS, approve(context.sql, approval, actor)))) return null;
  return await context.pending.approve(request, reply, pending, { grantId, shopId: shop.id, scope });
}

/**
 * As random as the authorization's seed, and the same for the same answer to it: a form sent twice, by a double click
 * or after a fault, approves one grant, whichever of its answers the browser follows.
 */
function grantIdOf(pending: PendingAuthorization, { merchant, shop, scope }: Choice): string {
  return createHmac("sha256", pending.csrfSeed)
    .update(JSON.stringify(["grant", merchant.id, shop.id, ...scope]))
    .digest("base64url");
}
