import { approve as approveConnection, revoke } from "@partner-connect/connections";
import type { Scope } from "@partner-connect/contract";
import { transaction } from "@partner-connect/database";
import { isMember, type MerchantAccount, type Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";
import { registeredRedirectUri } from "../../clients/registered-redirect-uri.ts";
import { beforeDeadline, merchantActor } from "../../merchant-page/page-context.ts";
import type { ConsentContext } from "../consent-context.ts";
import type { OpenAuthorization } from "../request/sealed-request.ts";
import { type Approval, codeOf, grantOf } from "./decision-store.ts";

export interface Choice {
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
 * Commits the approval, and has the code issued. Grant id and code are derived from the authorization and the approval: the same approval
 * sent again completes what was begun. @throws a fault of a store; one before the claim leaves it undecided
 */
export async function approve(
  context: ConsentContext,
  request: FastifyRequest,
  authorization: OpenAuthorization,
  { merchant, shop, scope }: Choice,
): Promise<Outcome> {
  const { sql, codes, decisions } = context;
  const { client, clientId, redirectUri, codeChallenge } = authorization;
  noteFacts(request, { shopId: shop.id });
  const approval: Approval = ["approve", merchant.id, shop.id, ...scope];
  const code = codeOf(authorization, approval);
  const ids = { clientId, shopId: shop.id, grantId: grantOf(authorization, approval) };
  const actor = merchantActor(request, merchant);
  const registered = registeredRedirectUri(redirectUri, client.redirectUris);
  const connection = { ...ids, merchantId: merchant.id, scope, redirectUri: registered };
  // Membership and claim are judged after the connection's row was waited for. The claim is the last step before the commit.
  let isGivenUp = false;
  const commit = transaction(sql, async (tx) => {
    const approved = await approveConnection(tx, connection, actor);
    if (!approved) return "connection_disabled";
    if (!(await isMember(tx, merchant, shop.id))) throw new NotCommitted("shop_not_offered");
    // The merchant was told of a fault, and may decide otherwise.
    if (isGivenUp) throw new NotCommitted("ended");
    const claim = await decisions.claim(authorization, approval);
    if (!claim.counts) throw new NotCommitted("ended");
    if (claim.finishedAt !== null) throw new NotCommitted({ finishedAt: claim.finishedAt });
    return approved;
  });
  const committed = await beforeDeadline(commit).catch((error: unknown) => {
    isGivenUp = true;
    if (error instanceof NotCommitted) return error.outcome;
    throw error;
  });
  if (typeof committed === "string") return committed;
  if ("finishedAt" in committed) {
    return (await mayBeSentAgain(context, code, committed.finishedAt)) ? { code } : "ended";
  }

  // A removal during the very commit may have been answered before it: then what was approved ends.
  if (!(await beforeDeadline(isMember(sql, merchant, shop.id)))) {
    const made = { shopId: shop.id, id: committed.connectionId };
    await beforeDeadline(revoke(sql, made, actor, { reason: "not_member", grantId: ids.grantId }));
    await decisions.finish(authorization);
    return "shop_not_offered";
  }
  await codes.issue({ ...ids, redirectUri, codeChallenge, scope, code });
  await decisions.finish(authorization);
  noteFacts(request, { outcome: "approved" });
  return { code };
}

type Uncommitted = Exclude<Outcome, object> | { readonly finishedAt: number };

/** Takes back what the transaction has written. `finishedAt`: when the same approval was complete before, in ms. */
class NotCommitted extends Error {
  readonly outcome: Uncommitted;

  constructor(outcome: Uncommitted) {
    super("the approval is not committed");
    this.outcome = outcome;
  }
}

/**
 * Whether the browser may take this code to the partner once more. A second redemption after the grace ends the connection, so it may in
 * the first half of the grace.
 */
async function mayBeSentAgain(context: ConsentContext, code: string, finishedAt: number): Promise<boolean> {
  const state = await context.codes.stateOf(code);
  if (state === "redeemed") return Date.now() - finishedAt < (context.codeReplayGraceSeconds * 1000) / 2;
  return state === "usable";
}
