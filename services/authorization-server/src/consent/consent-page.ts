import { approvedGrants } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formToken } from "../browser/csrf.ts";
import { forgetPage } from "../browser/return-paths.ts";
import { sendErrorPage } from "../pages/error-page.ts";
import { sendPage } from "../pages/send-page.ts";
import { useSession } from "../sign-in/session.ts";
import { grantIdOf } from "./authorization-secret.ts";
import { CONSENT_PROBLEMS, consentView, noChoiceView, type ShownConsent } from "./consent.view.ts";
import { authorizationPath } from "./pending-authorization.ts";
import { isSelectable, shopOffers } from "./shop-offers.ts";

export async function showConsentPage(
  reply: FastifyReply,
  shown: ShownConsent,
): Promise<FastifyReply> {
  const { authorization } = reply.request;
  const offers = await shopOffers(reply.request, shown.merchant.id);
  const unusedSeconds = reply.server.config.tokens.refreshTokenTtl;
  const token = formToken(authorization.secret, authorizationPath(authorization));
  const view = { ...shown, authorization, offers, unusedSeconds, token };
  const page = offers.some(isSelectable) ? consentView : noChoiceView;
  return sendPage(reply, (locale) => page(view, locale), {
    status: shown.problem ? CONSENT_PROBLEMS[shown.problem].status : 200,
    leadsToPartner: true,
    account: shown.merchant,
    signOutPath: authorizationPath(authorization, "/sign-out"),
  });
}

/** The page of a decided authorization. If this merchant approved it, the page says so. */
export async function showDecidedPage(reply: FastifyReply): Promise<FastifyReply> {
  const { authorization } = reply.request;
  const { client } = authorization;
  forgetPage(reply, authorizationPath(authorization));
  const approved = await approvedGrant(reply.request);
  if (!approved) return sendErrorPage(reply, { status: 404, kind: "ended", client });
  const kind = approved.isExchanged ? "already_connected" : "already_approved";
  return sendErrorPage(reply, { status: 200, kind, client });
}

/** The merchant's current grant whose id is derived from this authorization, if there is one. */
async function approvedGrant(request: FastifyRequest) {
  const { authorization, server } = request;
  const merchant = await useSession(request);
  if (!merchant) return undefined;
  const shops = await shopsOfMerchant(server.pagesSql, merchant.id);
  const asked = {
    clientId: authorization.clientId,
    merchantId: merchant.id,
    shopIds: shops.map(({ id }) => id),
  };
  const grants = await approvedGrants(server.pagesSql, asked);
  return grants.find(
    ({ shopId, grantId, scope }) =>
      grantId === grantIdOf(authorization.secret, { merchantId: merchant.id, shopId, scope }),
  );
}
