import type { FastifyInstance } from "fastify";
import { formField } from "../pages/form-token.ts";
import type { PageContext } from "../pages/page-context.ts";
import { CONNECTED_APPS_PATH, PARTNER_PATH } from "../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../pages/send-merchant-page.ts";
import { signInFirst } from "../pages/sign-in-first.ts";
import { connectedShops } from "./connected-apps.query.ts";
import { connectedAppsView } from "./connected-apps.view.ts";

export function connectedAppsRoute(app: FastifyInstance, context: PageContext): void {
  // The address alone: a merchant typed it by hand, and looks for her apps.
  app.get("/", (_request, reply) => reply.redirect(CONNECTED_APPS_PATH, 302));

  app.get(CONNECTED_APPS_PATH, async (request, reply) => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const { query } = request;
    const shown = {
      search: formField(query, "find"),
      page: Number(/^\d{1,6}$/.exec(formField(query, "page"))?.[0] ?? 1),
      disconnected: formField(query, "disconnected"),
    };
    const shops = await connectedShops(context, merchant.id, shown, request.log);
    const waiting = context.returns.remembered(request);
    // A partner's person who has no shop looks for the pages of the app.
    if (shops.all === 0 && merchant.isPartner && !waiting) return redirectTo(reply, PARTNER_PATH);
    const view = { ...shops, waiting };
    const account = context.signIn.account(reply, merchant);
    return sendMerchantPage(reply, (locale) => connectedAppsView(view, locale), { account });
  });
}
