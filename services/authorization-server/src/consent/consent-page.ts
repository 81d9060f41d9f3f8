import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { authorizationPath, formTargets, returnHost } from "./authorization-paths.ts";
import { type MerchantContext, tokenFor } from "./merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { sendPage } from "./send-page.ts";
import { shopOffers } from "./shop-offers.query.ts";
import { localeOf } from "./texts/locale.ts";
import type { Texts } from "./texts/texts.ts";
import { consentView } from "./views/consent.view.ts";

/** Why the page is shown once more. */
export interface ConsentProblem {
  readonly status: number;
  readonly problem: (texts: Texts["consent"]) => string;
  readonly chosenShopId?: string | null;
}

export async function consentPage(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  merchant: Merchant,
  again?: ConsentProblem,
): Promise<FastifyReply> {
  const locale = localeOf(request.headers["accept-language"]);
  const offers = await shopOffers(context, merchant.id, pending);
  const action = authorizationPath(pending);
  const token = tokenFor(context, request, reply, action);
  const page = consentView(
    {
      app: pending.client.name,
      host: returnHost(pending),
      requested: pending.scope.filter((value) => pending.client.scope.includes(value)),
      offers,
      chosenShopId: again?.chosenShopId ?? null,
      action,
      token,
      problem: again?.problem(locale.texts.consent) ?? null,
      account: { merchant, signOutPath: authorizationPath(pending, "/sign-out"), token, purpose: "use_another" },
    },
    locale,
  );
  return sendPage(reply, locale, page, { status: again?.status ?? 200, formTargets: formTargets(pending) });
}
