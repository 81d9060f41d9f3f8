import { revoke } from "@partner-connect/connections";
import type { Scope } from "@partner-connect/contract";
import { isMember, type MerchantAccount, type Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";
import { registeredRedirectUri } from "../../clients/registered-redirect-uri.ts";
import { merchantActor } from "../../merchant-page/merchant-actor.ts";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import type { ConsentContext } from "../consent-context.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { derived } from "../request/sealed-request.ts";
import { commitApproval } from "./commit-approval.ts";
import type { ApprovedChoice } from "./decision-store.ts";

/** What the merchant approved. */
export interface Choice {
  readonly merchant: MerchantAccount;
  readonly shop: Shop;
  readonly scope: readonly Scope[];
}

export type CommitOutcome =
  | { readonly is: "approved"; readonly code: string }
  /** An operator holds the connection; nothing was committed. */
  | { readonly is: "held" }
  /** The merchant is no member of the shop any more, or her sessions have ended. */
  | { readonly is: "not_member" }
  /** Another decision was first, or the code of this one can't be used any more. */
  | { readonly is: "ended" };

/**
 * Commits the approval, and has the code issued. From the commit on, the connection has exactly this scope. Grant id and
 * code are derived from the authorization and the choice: the same approval sent again, by a double click or after a
 * fault, completes what was begun and leads to the same code.
 */
export async function approveConnection(
  context: ConsentContext,
  request: FastifyRequest,
  pending: PendingAuthorization,
  { merchant, shop, scope }: Choice,
): Promise<CommitOutcome> {
  const { clientId } = pending.client;
  noteFacts(request, { shopId: shop.id });
  const choice: ApprovedChoice = [merchant.id, shop.id, ...scope];
  const code = derived(pending.secret, "code", ...choice);
  const grantId = grantOf(pending, choice);
  const registered = registeredRedirectUri(pending.redirectUri, pending.client.redirectUris);
  const approval = { shopId: shop.id, clientId, merchantId: merchant.id, grantId, scope, redirectUri: registered };
  const actor = merchantActor(request, merchant);
  const committed = await commitApproval(context, pending, { merchant, choice, approval, actor });
  if (committed.is === "finished") {
    return (await mayBeSentAgain(context, code, committed.at)) ? { is: "approved", code } : { is: "ended" };
  }
  if (committed.is !== "committed") return committed;
  // A removal during the very commit may have been answered before it: then what was approved ends.
  if (!(await beforeDeadline(isMember(context.sql, merchant, shop.id)))) {
    const connection = { shopId: shop.id, id: committed.connectionId };
    await beforeDeadline(revoke(context.sql, connection, actor, { reason: "not_member", grantId }));
    await context.decisions.finish(pending);
    return { is: "not_member" };
  }
  const { redirectUri, codeChallenge } = pending;
  await context.codes.issue({ clientId, redirectUri, codeChallenge, shopId: shop.id, grantId, scope, code });
  await context.decisions.finish(pending);
  noteFacts(request, { outcome: "approved" });
  return { is: "approved", code };
}

/** The grant that an approval of this choice commits. */
export function grantOf({ secret }: PendingAuthorization, choice: ApprovedChoice): string {
  return derived(secret, "grant", ...choice);
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
