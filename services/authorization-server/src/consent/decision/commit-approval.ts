import type { Actor } from "@partner-connect/audit";
import { type Approval, approve } from "@partner-connect/connections";
import { transaction } from "@partner-connect/database";
import { isMember, type MerchantAccount } from "@partner-connect/directory";
import { beforeDeadline } from "../../merchant-page/page-deadline.ts";
import type { ConsentContext } from "../consent-context.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import type { ApprovedChoice } from "./decision-store.ts";

export interface JudgedApproval {
  readonly merchant: MerchantAccount;
  /** What the decision's record has of it. */
  readonly choice: ApprovedChoice;
  readonly approval: Approval;
  readonly actor: Actor;
}

export type Committed =
  | { readonly is: "committed"; readonly connectionId: string }
  /** It was complete before, at this time in ms. */
  | { readonly is: "finished"; readonly at: number }
  | { readonly is: "held" | "not_member" | "ended" };

/** Takes back what the transaction has written. */
class NotCommitted extends Error {
  readonly outcome: Committed;

  constructor(outcome: Committed) {
    super(`not committed: ${outcome.is}`);
    this.outcome = outcome;
  }
}

/**
 * Commits the approval, if by then the merchant is still a member and no other decision was first. Both are judged after the
 * connection's row was waited for. The claim is the last step before the commit: whatever fails before leaves the authorization
 * undecided.
 */
export async function commitApproval(
  { sql, decisions }: ConsentContext,
  pending: PendingAuthorization,
  { merchant, choice, approval, actor }: JudgedApproval,
): Promise<Committed> {
  let isGivenUp = false;
  const commit = transaction(sql, async (tx): Promise<Committed> => {
    const approved = await approve(tx, approval, actor);
    if (!approved) return { is: "held" };
    if (!(await isMember(tx, merchant, approval.shopId))) throw new NotCommitted({ is: "not_member" });
    // The merchant was told of a fault, and may decide otherwise.
    if (isGivenUp) throw new NotCommitted({ is: "ended" });
    const claim = await decisions.claimApproval(pending, choice);
    if (!claim.counts) throw new NotCommitted({ is: "ended" });
    if (claim.finishedAt !== null) throw new NotCommitted({ is: "finished", at: claim.finishedAt });
    return { is: "committed", ...approved };
  });
  try {
    return await beforeDeadline(commit);
  } catch (error) {
    isGivenUp = true;
    if (error instanceof NotCommitted) return error.outcome;
    throw error;
  }
}
