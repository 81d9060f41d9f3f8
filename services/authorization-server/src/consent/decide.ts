import {
  approve,
  isDecided,
  isResendable,
  recordDecision,
  withdrawDecision,
} from "@partner-connect/connections";
import { opensPersonalData, type Scope } from "@partner-connect/contract";
import { transaction } from "@partner-connect/database";
import {
  findClient,
  lockMembership,
  type MerchantAccount,
  type Shop,
} from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../actor.ts";
import { UnredirectableError } from "../authorize/authorization-request.ts";
import { isOurForm } from "../browser/csrf.ts";
import { forgetPage } from "../browser/return-paths.ts";
import { formField } from "../pages/forms.ts";
import { MERCHANT_HEADERS, redirectTo } from "../pages/send-page.ts";
import { AUTHORIZATION_ERRORS } from "../protocol.ts";
import { redirectLocation, registeredRedirectUri } from "../redirect-uri.ts";
import { confirmPath, mustConfirmIdentity } from "../sign-in/passkeys/second-factor.ts";
import { useSession } from "../sign-in/session.ts";
import { authorizationHash, codeOf, decisionOf, grantIdOf } from "./authorization-secret.ts";
import type { ConsentProblem } from "./consent.view.ts";
import { showConsentPage, showDecidedPage } from "./consent-page.ts";
import { authorizationPath, requireStillAllowed } from "./pending-authorization.ts";
import { isSelectable, shopOffers, shownField, shownScope } from "./shop-offers.ts";

/** The result of a posted form. Only the first two decide the authorization. */
type Outcome =
  | { readonly outcome: "approved"; readonly code: string }
  | { readonly outcome: "declined" }
  /** Another decision came first, or the code of this one can't be used any more. */
  | { readonly outcome: "already_decided" }
  | { readonly outcome: "signed_out" }
  | { readonly outcome: "proof_needed" }
  | { readonly outcome: "refused"; readonly reason: ConsentProblem };

const refusal = (reason: ConsentProblem): Outcome => ({ outcome: "refused", reason });

/** Checks the posted decision against the current state. Only the first valid decision counts. */
export async function decide(reply: FastifyReply): Promise<FastifyReply> {
  const { request, server } = reply;
  const { authorization } = request;
  const shopId = formField(request.body, "shop");
  // The path of the consent page, which asks for a sign-in if needed, with the shop still chosen.
  const here = authorizationPath(authorization, "", shopId);
  const result = await judgeAndCommit(request);
  switch (result.outcome) {
    case "approved":
      noteFacts(request, { outcome: "approved" });
      return returnToPartner(reply, { code: result.code });
    case "declined":
      noteFacts(request, { outcome: "declined" });
      return returnToPartner(reply, {
        error: AUTHORIZATION_ERRORS.accessDenied,
        error_description: "the merchant declined",
      });
    case "already_decided":
      return await showDecidedPage(reply);
    case "signed_out":
      return redirectTo(reply, here);
    case "proof_needed":
      noteFacts(request, { outcome: "passkey_asked" });
      return redirectTo(reply, confirmPath(reply, here));
    case "refused": {
      // Race: another tab, or a second press, decided after this form's page was sent.
      if (await isDecided(server.pagesSql, authorizationHash(authorization.secret)))
        return await showDecidedPage(reply);
      const { reason } = result;
      noteFacts(request, { outcome: "refused", reason });
      // Race: the cause of the refusal, such as a disable, may also have ended the session.
      const merchant = await useSession(request);
      if (!merchant) return redirectTo(reply, here);
      const chosen = reason === "offer_changed" ? shopId : "";
      return await showConsentPage(reply, { merchant, chosen, problem: reason });
    }
  }
}

/** Judges the form, and commits a decision. A decline needs no sign-in, only the same browser. */
async function judgeAndCommit(request: FastifyRequest): Promise<Outcome> {
  const { authorization, body } = request;
  const isOurs = isOurForm(request, authorizationPath(authorization), authorization.secret);
  if (isOurs && formField(body, "decision") === "decline") return await decline(request);
  const merchant = await useSession(request);
  if (!merchant) return { outcome: "signed_out" };
  if (!isOurs) return refusal("form_out_of_date");
  if (formField(body, "account") !== merchant.id) return refusal("other_account");
  const shopId = formField(body, "shop");
  if (shopId === "" || formField(body, "decision") !== "approve") return refusal("nothing_chosen");
  const offer = (await shopOffers(request, merchant.id)).find(({ shop }) => shop.id === shopId);
  if (!offer || !isSelectable(offer)) return refusal("shop_not_offered");
  const scope = shownScope(offer, formField(body, shownField(shopId)));
  if (scope.length === 0) return refusal("offer_changed");
  if (opensPersonalData(scope) && (await mustConfirmIdentity(request, merchant)))
    return { outcome: "proof_needed" };
  return await commitApproval(request, merchant, offer.shop, scope);
}

async function decline({ authorization, server }: FastifyRequest): Promise<Outcome> {
  const decision = decisionOf(authorization.secret, "decline");
  const recorded = await transaction(server.pagesSql, (tx) => recordDecision(tx, decision));
  return { outcome: recorded.outcome === "other" ? "already_decided" : "declined" };
}

/**
 * Commits the approval and issues the code. Grant id and code are derived from the authorization
 * and the choice, so repeating an approval leads to the same code. After a 503, repeating it
 * completes the approval, whether or not it was committed.
 * @throws {UnredirectableError} the client may no longer have a code; or a fault of a store
 */
async function commitApproval(
  request: FastifyRequest,
  merchant: MerchantAccount,
  shop: Shop,
  scope: readonly Scope[],
): Promise<Outcome> {
  const { authorization, server } = request;
  const { authorizationCodeTtl, codeReplayGrace } = server.config.tokens;
  const { clientId, redirectUri, codeChallenge, secret } = authorization;
  noteFacts(request, { shopId: shop.id });
  const choice = { merchantId: merchant.id, shopId: shop.id, scope };
  const decision = decisionOf(secret, choice);
  const grantKey = { clientId, shopId: shop.id, grantId: grantIdOf(secret, choice) };

  const result = await transaction(server.pagesSql, async (tx) => {
    const recorded = await recordDecision(tx, decision);
    if (recorded.outcome === "other") return { outcome: "already_decided" } as const;
    // Until the commit the merchant stays a member, and the merchant's sessions can't end.
    const isMember = await lockMembership(tx, merchant, shop.id);
    // Checks the client in Postgres. A refusal rolls the decision back. Later changes are too late.
    const { redirectUris } = requireStillAllowed(authorization, await findClient(tx, clientId));
    if (recorded.outcome === "repeated") {
      // The partner redeems a code that is sent again. After the replay grace that would end the
      // connection, so an exchanged code is sent again only during half of the grace.
      const ttl = Math.ceil(authorizationCodeTtl - recorded.secondsAgo);
      const isLive = isMember && ttl > 0 && (await isResendable(tx, grantKey, codeReplayGrace / 2));
      if (!isLive) return { outcome: "already_decided" } as const;
      return { outcome: "code_due", ttl } as const;
    }
    const registered = registeredRedirectUri(redirectUri, redirectUris);
    const connection = { ...grantKey, merchantId: merchant.id, scope, redirectUri: registered };
    if (isMember && (await approve(tx, connection, merchantActor(request, merchant))))
      return { outcome: "code_due", ttl: authorizationCodeTtl } as const;
    await withdrawDecision(tx, decision);
    // `approve` returns null only for a connection put on hold after the offers were read.
    return refusal(isMember ? "connection_disabled" : "shop_not_offered");
  });
  if (result.outcome !== "code_due") return result;

  const code = codeOf(secret, choice);
  const approved = { ...grantKey, redirectUri, codeChallenge, scope, code, ttl: result.ttl };
  // Race: the client was deleted after the commit.
  if (!(await server.codes.issue(approved)))
    throw new UnredirectableError("invalid_client", "client_id is not registered");
  return { outcome: "approved", code };
}

/** Redirects to the partner (guides/errors.md). */
function returnToPartner(reply: FastifyReply, parameters: Readonly<Record<string, string>>) {
  const { authorization } = reply.request;
  const { redirectUri, state } = authorization;
  forgetPage(reply, authorizationPath(authorization));
  const location = redirectLocation(redirectUri, {
    ...parameters,
    state,
    iss: reply.server.config.tokens.issuer,
  });
  return reply.code(302).headers(MERCHANT_HEADERS).header("location", location).send();
}
