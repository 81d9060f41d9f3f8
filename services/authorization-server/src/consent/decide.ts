import { isDecided, recordDecision } from "@partner-connect/connections";
import { opensPersonalData } from "@partner-connect/contract";
import { transaction } from "@partner-connect/database";
import type { MerchantAccount } from "@partner-connect/directory";
import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../pages/form-token.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { approve, type Outcome } from "./approve.ts";
import { authorizationPath } from "./authorization-paths.ts";
import type { ConsentContext } from "./consent-context.ts";
import { showConsentPage } from "./consent-page.ts";
import type { ConsentProblem } from "./consent-view.ts";
import { authorizationHash, decisionOf } from "./decision.ts";
import { showEndedPage } from "./ended-page.ts";
import { returnToPartner } from "./return-to-partner.ts";
import type { OpenAuthorization } from "./sealed-request.ts";
import { chosenOffer, leftOut, postedChoice } from "./shop-offer.ts";
import { shopOffers } from "./shop-offers.query.ts";

/** The merchant's decision, judged by the state of things now. The first valid one counts; any other changes nothing. */
export async function decide(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
): Promise<FastifyReply> {
  const { request } = reply;
  const { sql, signIn, formTokens } = context;
  const path = authorizationPath(authorization);
  const posted = postedChoice(request.body);
  const merchant = await signIn.merchant(request);
  const isOurForm = formTokens.isValid(request, path);
  if (isOurForm && formField(request.body, "decision") === "decline") return decline(context, reply, authorization);
  // The page asks for a sign-in, and keeps what was chosen.
  const signInFirst = () => redirectTo(reply, authorizationPath(authorization, "", posted));
  if (!merchant) return signInFirst();

  const outcome = isOurForm ? await approveChosen(context, request, authorization, merchant) : "form_out_of_date";
  if (typeof outcome === "object") return returnToPartner(context, reply, authorization, outcome);
  if (outcome === "ended") return await showEndedPage(context, reply, authorization);
  if (outcome === "proof_needed") {
    noteFacts(request, { outcome: "passkey_asked" });
    const choice = new URLSearchParams({ shop: posted });
    return redirectTo(reply, signIn.proofPath(reply, `${path}&${choice}`));
  }
  noteFacts(request, { outcome: "refused", reason: outcome });
  if (await isDecided(sql, authorizationHash(authorization))) return await showEndedPage(context, reply, authorization);
  // What refused the approval may have ended the session too.
  const reader = await signIn.merchant(request);
  if (!reader) return signInFirst();
  const chosen = outcome === "offer_changed" || outcome === "nothing_left" ? posted : "";
  const shown = { merchant: reader, search: "", chosen, problem: outcome };
  return await showConsentPage(context, reply, authorization, shown);
}

/** Approves what the form has chosen, as far as the account, the shop and the scope as they are now allow it. */
async function approveChosen(
  context: ConsentContext,
  request: FastifyRequest,
  authorization: OpenAuthorization,
  merchant: MerchantAccount,
): Promise<Outcome | ConsentProblem | "proof_needed"> {
  const { body, log } = request;
  if (formField(body, "account") !== merchant.id) return "other_account";
  const posted = formField(body, "shop");
  if (posted === "" || formField(body, "decision") !== "approve") return "nothing_chosen";
  const chosen = chosenOffer(await shopOffers(context, merchant.id, authorization, log), posted);
  if (!chosen || chosen.offer.obstacle !== null) return "shop_not_offered";
  const { offer } = chosen;
  const left = leftOut(body);
  // What is required by now can't be left out.
  const isLeftRightly = left.every((value) => authorization.client.optionalScope.includes(value));
  if (chosen.scope.length === 0 || !isLeftRightly) return "offer_changed";
  const scope = chosen.scope.filter((value) => !left.includes(value));
  if (scope.length === 0) return "nothing_left";
  if (opensPersonalData(scope) && (await context.signIn.mustProve(request, merchant))) return "proof_needed";
  return await approve(context, request, authorization, { merchant, shop: offer.shop, scope });
}

/** Declines the authorization and tells the partner so. The browser that began it may decline it without signing in. */
async function decline(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
): Promise<FastifyReply> {
  const decision = decisionOf(authorization, ["decline"]);
  const recorded = await transaction(context.sql, (tx) => recordDecision(tx, decision));
  if (recorded === "other") return await showEndedPage(context, reply, authorization);
  noteFacts(reply.request, { outcome: "declined" });
  const error = { error: AUTHORIZATION_ERRORS.accessDenied, error_description: "the merchant declined" };
  return returnToPartner(context, reply, authorization, error);
}
