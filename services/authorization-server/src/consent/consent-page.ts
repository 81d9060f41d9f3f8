import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type MerchantContext, tokenFor } from "../merchant-page/merchant-context.ts";
import { sendPage } from "../merchant-page/send-merchant-page.ts";
import { localeOf } from "../merchant-page/texts/locale.ts";
import type { Texts } from "../merchant-page/texts/texts.ts";
import { authorizationPath, formTargets, returnHost } from "./authorization-paths.ts";
import { consentView } from "./consent.view.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { shopOffers } from "./shop-offers.query.ts";

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
