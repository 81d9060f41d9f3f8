import {
  approve as approveConnection,
  type Decision,
  isDecided,
  isResendable,
  recordDecision,
  withdrawDecision,
} from "@partner-connect/connections";
import { opensPersonalData, type Scope } from "@partner-connect/contract";
import { transaction } from "@partner-connect/database";
import { lockMembership, type MerchantAccount, type Shop } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isOurForm, merchantActor } from "../pages/csrf.ts";
import { formField } from "../pages/forms.ts";
import { forgetPage } from "../pages/return-paths.ts";
import { MERCHANT_HEADERS, redirectTo } from "../pages/send-page.ts";
import { AUTHORIZATION_ERRORS } from "../protocol.ts";
import { redirectLocation, registeredRedirectUri } from "../redirect-uri.ts";
import { mustProve, proofPath } from "../sign-in/passkeys/second-factor.ts";
import { findSignedIn } from "../sign-in/session.ts";
import {
  answerHash,
  authorizationHash,
  type Choice,
  codeOf,
  grantIdOf,
} from "./authorization-secret.ts";
import type { ConsentProblem } from "./consent.view.ts";
import { showConsentPage, showDecidedPage } from "./consent-page.ts";
import { authorizationPath, type PendingAuthorization } from "./pending-authorization.ts";
import { chosenOffer, shopOffers } from "./shop-offers.ts";

/**
 * The merchant's decision, checked against the current state. The first valid one counts; any other
 * changes nothing.
 */
export async function decide(reply: FastifyReply): Promise<FastifyReply> {
  const { request, server } = reply;
  const { authorization } = request;
  const path = authorizationPath(authorization);
  const posted = formField(request.body, "shop");
  const merchant = await findSignedIn(request);
  const isOurs = isOurForm(request, path, authorization.secret);
  if (isOurs && formField(request.body, "decision") === "decline") return decline(reply);
  // The page asks for a sign-in, and keeps what was chosen.
  const signInFirst = () => redirectTo(reply, authorizationPath(authorization, "", posted));
  if (!merchant) return signInFirst();

  const outcome = isOurs ? await approveChosen(request, merchant) : "form_out_of_date";
  if (typeof outcome === "object") return returnToPartner(reply, outcome);
  if (outcome === "ended") return await showDecidedPage(reply);
  if (outcome === "proof_needed") {
    noteFacts(request, { outcome: "passkey_asked" });
    const choice = new URLSearchParams({ shop: posted });
    return redirectTo(reply, proofPath(reply, `${path}&${choice}`));
  }
  noteFacts(request, { outcome: "refused", reason: outcome });
  if (await isDecided(server.pagesSql, authorizationHash(authorization.secret)))
    return await showDecidedPage(reply);
  // The cause of the refusal may have ended the session too.
  const reader = await findSignedIn(request);
  if (!reader) return signInFirst();
  const chosen = outcome === "offer_changed" ? posted : "";
  return await showConsentPage(reply, { merchant: reader, chosen, problem: outcome });
}

/** Approves the choice of the form, if the account, the shop and the scope still allow it. */
async function approveChosen(
  request: FastifyRequest,
  merchant: MerchantAccount,
): Promise<Outcome | ConsentProblem | "proof_needed"> {
  const { body } = request;
  if (formField(body, "account") !== merchant.id) return "other_account";
  const posted = formField(body, "shop");
  if (posted === "" || formField(body, "decision") !== "approve") return "nothing_chosen";
  const chosen = chosenOffer(await shopOffers(request, merchant.id), posted);
  if (!chosen || chosen.offer.obstacle !== null) return "shop_not_offered";
  const { offer, scope } = chosen;
  if (scope.length === 0) return "offer_changed";
  if (opensPersonalData(scope) && (await mustProve(request, merchant))) return "proof_needed";
  return await approve(request, merchant, offer.shop, scope);
}

/**
 * Declines the authorization and redirects to the partner. The browser that began it may decline it
 * without signing in.
 */
async function decline(reply: FastifyReply): Promise<FastifyReply> {
  const { authorization } = reply.request;
  const decision = decisionOf(authorization, "decline");
  const recorded = await transaction(reply.server.pagesSql, (tx) => recordDecision(tx, decision));
  if (recorded === "other") return await showDecidedPage(reply);
  noteFacts(reply.request, { outcome: "declined" });
  const error = {
    error: AUTHORIZATION_ERRORS.accessDenied,
    error_description: "the merchant declined",
  };
  return returnToPartner(reply, error);
}

type Outcome =
  | { readonly code: string }
  /** An operator holds the connection; nothing was committed. */
  | "connection_disabled"
  /** The merchant is no longer a member of the shop, or their sessions have ended. */
  | "shop_not_offered"
  /** Another decision was first, or the code of this one can't be used any more. */
  | "ended";

/**
 * Commits the approval and issues the code. Grant id and code are derived from the authorization
 * and the choice, so repeating the same approval leads to the same code, and completes one that a
 * crash after the commit interrupted. After a 503 that was given before COMMIT was sent, nothing is
 * committed (the pool's deadline). @throws a fault of a store
 */
async function approve(
  request: FastifyRequest,
  merchant: MerchantAccount,
  shop: Shop,
  scope: readonly Scope[],
): Promise<Outcome> {
  const { authorization, server } = request;
  const { authorizationCodeTtl, codeReplayGrace } = server.config.tokens;
  const { client, clientId, redirectUri, codeChallenge } = authorization;
  noteFacts(request, { shopId: shop.id });
  const choice: Choice = { merchantId: merchant.id, shopId: shop.id, scope };
  const decision = decisionOf(authorization, choice);
  const ids = { clientId, shopId: shop.id, grantId: grantIdOf(authorization.secret, choice) };
  const registered = registeredRedirectUri(redirectUri, client.redirectUris);
  const connection = { ...ids, merchantId: merchant.id, scope, redirectUri: registered };
  const actor = merchantActor(request, merchant);

  const committed = await transaction(server.pagesSql, async (tx) => {
    const recorded = await recordDecision(tx, decision);
    if (recorded === "other") return "ended";
    const isMember = await lockMembership(tx, merchant, shop.id);
    if (recorded === "new") {
      if (isMember && (await approveConnection(tx, connection, actor)))
        return { ttl: authorizationCodeTtl };
      await withdrawDecision(tx, decision);
      return isMember ? "connection_disabled" : "shop_not_offered";
    }
    if (!isMember) return "shop_not_offered";
    // A second redemption after the grace period ends the connection, so repeat the code only in
    // its first half.
    const ttl = Math.ceil(authorizationCodeTtl - recorded.secondsAgo);
    return ttl > 0 && (await isResendable(tx, ids, codeReplayGrace / 2)) ? { ttl } : "ended";
  });
  if (typeof committed === "string") return committed;

  const code = codeOf(authorization.secret, choice);
  await server.codes.issue({ ...ids, redirectUri, codeChallenge, scope, code, ttl: committed.ttl });
  noteFacts(request, { outcome: "approved" });
  return { code };
}

function decisionOf({ secret }: PendingAuthorization, answer: Choice | "decline"): Decision {
  return { authorizationHash: authorizationHash(secret), answer: answerHash(secret, answer) };
}

/** Redirects to the partner (spec, Outcomes). */
function returnToPartner(
  reply: FastifyReply,
  parameters: Readonly<Record<string, string>>,
): FastifyReply {
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
