import type { MerchantAccount } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { formField } from "../../merchant-page/forms/form-field.ts";
import type { ConsentContext } from "../consent-context.ts";
import { chosenOffer } from "../offers/shop-offer.ts";
import { shopOffers } from "../offers/shop-offers.query.ts";
import type { ConsentProblem } from "../pages/consent-page.ts";
import { authorizationPath } from "../request/authorization-paths.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { approveConnection } from "./approve-connection.ts";

export type ApprovalOutcome =
  | { readonly is: "approved"; readonly code: string }
  /** Another decision was first, or the code of this one can't be used any more. */
  | { readonly is: "ended" }
  /** Nothing was committed; the merchant may decide again. */
  | { readonly is: "refused"; readonly problem: ConsentProblem };

/** Judges a posted approval by the account, the shop and the scope as they are now, and commits it. */
export async function judgeApproval(
  context: ConsentContext,
  request: FastifyRequest,
  pending: PendingAuthorization,
  merchant: MerchantAccount,
): Promise<ApprovalOutcome> {
  const { body } = request;
  if (!context.formTokens.isValid(request, authorizationPath(pending)))
    return refuse(403, "form_out_of_date", (texts) => texts.outOfDate);
  if (formField(body, "account") !== merchant.id) return refuse(409, "other_account", (texts) => texts.otherAccount);
  const posted = formField(body, "shop");
  if (posted === "" || formField(body, "decision") !== "approve")
    return refuse(422, "nothing_chosen", (texts) => texts.chooseFirst);
  const chosen = chosenOffer(await shopOffers(context, merchant.id, pending, request.log), posted);
  if (!chosen || chosen.offer.obstacle !== null) return refuse(422, "shop_not_offered", (texts) => texts.notOffered);
  const { scope, offer } = chosen;
  if (scope.length === 0) return refuse(409, "offer_changed", (texts) => texts.changed, offer.shop.id);
  const outcome = await approveConnection(context, request, pending, { merchant, shop: offer.shop, scope });
  if (outcome.is === "held") return refuse(409, "connection_disabled", (texts) => texts.held);
  return outcome.is === "not_member" ? refuse(422, "shop_not_offered", (texts) => texts.notOffered) : outcome;
}

function refuse(
  status: number,
  reason: string,
  text: ConsentProblem["text"],
  chosenShopId: string | null = null,
): ApprovalOutcome {
  return { is: "refused", problem: { status, reason, text, chosenShopId } };
}
