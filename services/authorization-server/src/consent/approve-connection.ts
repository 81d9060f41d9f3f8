import type { Scope } from "@partner-connect/access-token";
import { approve } from "@partner-connect/connections";
import type { Merchant, Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";
import { registeredRedirectUri } from "../clients/registered-redirect-uri.ts";
import { merchantActor } from "../merchant-page/merchant-actor.ts";
import { beforeDeadline } from "../merchant-page/page-deadline.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { derived } from "./sealed-request.ts";

/** What the merchant approved. */
export interface Choice {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly scope: readonly Scope[];
}

export type CommitOutcome =
  | { readonly is: "approved"; readonly code: string }
  /** An operator holds the connection; nothing was committed. */
  | { readonly is: "held" }
  /** Another decision was first, or the code of this one can't be used any more. */
  | { readonly is: "ended" };

/**
 * Claims the authorization for this approval, commits it, and has the code issued. From the commit on, the connection
 * has exactly this scope. Grant id and code are derived from the authorization and the choice: the same approval sent
 * again, by a double click or after a fault, completes what was begun and leads to the same code.
 */
export async function approveConnection(
  context: ConsentContext,
  request: FastifyRequest,
  pending: PendingAuthorization,
  { merchant, shop, scope }: Choice,
): Promise<CommitOutcome> {
  const { clientId } = pending.client;
  noteFacts(request, { shopId: shop.id });
  const choice = [merchant.id, shop.id, ...scope];
  const claim = await context.decisions.claim(pending, ["approve", ...choice]);
  if (!claim.counts) return { is: "ended" };
  const code = derived(pending.secret, "code", ...choice);
  if (claim.finishedAt !== null) {
    return (await mayBeSentAgain(context, code, claim.finishedAt)) ? { is: "approved", code } : { is: "ended" };
  }

  const grantId = derived(pending.secret, "grant", ...choice);
  const registered = registeredRedirectUri(pending.redirectUri, pending.client.redirectUris);
  const approval = { shopId: shop.id, clientId, merchantId: merchant.id, grantId, scope, redirectUri: registered };
  const actor = merchantActor(request, merchant);
  if (!(await beforeDeadline(approve(context.sql, approval, actor)))) {
    if (claim.isFirst) await context.decisions.release(pending);
    return { is: "held" };
  }
  const { redirectUri, codeChallenge } = pending;
  await context.codes.issue({ clientId, redirectUri, codeChallenge, shopId: shop.id, grantId, scope, code });
  await context.decisions.finish(pending);
  noteFacts(request, { outcome: "approved" });
  return { is: "approved", code };
}

/**
 * Whether the browser may take this code to the partner once more. If a redeemed code is redeemed again after the grace,
 * the connection ends. So it may during the first half of the grace; the second half is left for the partner's exchange.
 */
async function mayBeSentAgain(context: ConsentContext, code: string, finishedAt: number): Promise<boolean> {
  const state = await context.codes.stateOf(code);
  if (state === "redeemed") return Date.now() - finishedAt < (context.codeReplayGraceSeconds * 1000) / 2;
  return state === "usable";
}
