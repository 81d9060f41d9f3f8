import type { Scope } from "@partner-connect/access-token";
import { approve } from "@partner-connect/connections";
import { within } from "@partner-connect/database";
import type { Merchant, Shop } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { DATABASE_DEADLINE_MS, type MerchantContext } from "../merchant-page/merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { derived } from "./sealed-request.ts";

export interface Choice {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly scope: readonly Scope[];
}

export type ApprovalOutcome =
  | { readonly is: "approved"; readonly code: string }
  /** By an operator; nothing was committed. */
  | { readonly is: "held" }
  /** It was answered otherwise before, or this answer's code is worth nothing any more. */
  | { readonly is: "ended" };

/**
 * Claims the authorization for this approval, commits it, from which moment the connection has exactly this scope, and
 * has the code issued. Grant and code are derived from the authorization and the choice: the same answer sent again, by
 * a double click or after a fault, completes what was begun, and leads to the same code.
 */
export async function approveConnection(
  context: MerchantContext,
  request: FastifyRequest,
  pending: PendingAuthorization,
  choice: Choice,
): Promise<ApprovalOutcome> {
  const { merchant, shop, scope } = choice;
  const { clientId } = pending.client;
  const answer = [merchant.id, shop.id, ...scope];
  const claim = await context.decisions.claim(pending, ["approve", ...answer]);
  if (!claim.counts) return { is: "ended" };
  const code = derived(pending.secret, "code", ...answer);
  if (claim.doneAt !== null)
    return (await leadsOn(context, code, claim.doneAt)) ? { is: "approved", code } : { is: "ended" };

  const grantId = derived(pending.secret, "grant", ...answer);
  const approval = { shopId: shop.id, clientId, merchantId: merchant.id, grantId, scope };
  const actor = { name: `merchant:${merchant.id}`, ip: request.ip };
  if (!(await within(DATABASE_DEADLINE_MS, approve(context.sql, approval, actor)))) {
    if (claim.isFirst) await context.decisions.release(pending);
    return { is: "held" };
  }
  const { redirectUri, codeChallenge } = pending;
  await context.codes.issue({ clientId, redirectUri, codeChallenge, shopId: shop.id, grantId, scope, code });
  await context.decisions.finish(pending);
  request.log.info({ client: clientId, merchant: merchant.id, shop: shop.id, scope }, "authorization approved");
  return { is: "approved", code };
}

/**
 * Whether the browser may be sent to the partner with this code once more. A redeemed one that the partner redeems again
 * ends the connection after the grace; half of it is left for the way there.
 */
async function leadsOn(context: MerchantContext, code: string, doneAt: number): Promise<boolean> {
  const state = await context.codes.stateOf(code);
  if (state === "redeemed") return Date.now() - doneAt < (context.codeReplayGraceSeconds * 1000) / 2;
  return state === "usable";
}
