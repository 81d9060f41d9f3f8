import { approvedGrants } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formToken } from "../browser/csrf.ts";
import { forgetPage } from "../browser/return-paths.ts";
import { iconPair } from "../pages/app-identity.ts";
import { errorPage } from "../pages/error-page.ts";
import { ACCOUNT_FORM, cardPage, contactButton, type Locale } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { sendPage } from "../pages/send-page.ts";
import { useSession } from "../sign-in/session.ts";
import { grantIdOf } from "./authorization-secret.ts";
import {
  CONSENT_PROBLEMS,
  type ConsentView,
  consentView,
  obstacleText,
  type ShownConsent,
} from "./consent.view.ts";
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

/** The page for a merchant who has no shop to choose: it says why, and leads back to the app. */
function noChoiceView({ authorization, offers, token }: ConsentView, locale: Locale): Html {
  const { account, consent, plan } = locale.texts;
  const { client } = authorization;
  const app = named(client.name);
  const noShop = offers.length === 0;
  const [only] = offers.length === 1 ? offers : [];
  const reasons = new Set(offers.map((offer) => obstacleText(offer, locale, true)));
  return cardPage(
    locale,
    {
      title: consent.title(plainName(client.name)),
      heading: noShop ? consent.noShops : consent.cannot(app),
      icon: iconPair(client, locale),
    },
    html`${only && html`<p class="lead">${named(only.shop.name)} · ${plan[only.shop.plan]}</p>`}
${noShop ? html`<p class="lead">${consent.noShopsLead}</p>` : [...reasons].map((each) => html`<p class="lead">${each}</p>`)}
<form method="post" action="${authorizationPath(authorization)}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
${noShop && html`<button class="primary" form="${ACCOUNT_FORM}" name="where" value="here">${account.useAnother}</button>`}
<button${!noShop && html` class="primary"`} name="decision" value="decline"><span>${consent.backTo(app)}</span></button>
${contactButton(locale)}
</div>
</form>`,
  );
}

/** The page of a decided authorization. If this merchant approved it, the page says so. */
export async function showDecidedPage(reply: FastifyReply): Promise<FastifyReply> {
  const { authorization } = reply.request;
  const { client } = authorization;
  forgetPage(reply, authorizationPath(authorization));
  const approved = await approvedGrant(reply.request);
  if (!approved) return errorPage(reply, { status: 404, kind: "ended", client });
  const kind = approved.isExchanged ? "already_connected" : "already_approved";
  return errorPage(reply, { status: 200, kind, client });
}

/** The current grant if it is by this authorization: then its id is derived from the choice. */
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
