import { type OwnShop, shopsOfMerchant } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH, shopPeoplePaths } from "../merchant-page/paths.ts";
import type { PeoplePages } from "../merchant-page/people/people-pages.ts";
import { signInFirst } from "../merchant-page/return/sign-in-first.ts";

/** Who can connect apps for a shop. For others than its owners, its members too, the page is not found, like one that does not exist. */
export function shopPeople(context: PageContext): PeoplePages {
  return {
    routes: shopPeoplePaths(":shopId"),
    home: CONNECTED_APPS_PATH,
    async open(request, reply, purpose, pageOf) {
      const merchant = await context.signIn.merchant(request);
      if (!merchant) {
        signInFirst(context, reply, pageOf?.(request, reply));
        return null;
      }
      const shops = await beforeDeadline(shopsOfMerchant(context.sql, merchant.id));
      const shop = shops.find(({ id }) => id === request.params.shopId);
      if (shop && (purpose === "leave" || shop.role === "owner")) return peopleOf(shop, merchant);
      notFoundPage(reply);
      return null;
    },
    texts: ({ texts }) => texts.members,
    send(reply, { merchant }, page, options) {
      const account = context.signIn.account(reply, merchant);
      return sendMerchantPage(
        reply,
        (locale) => {
          const { kind, content, ...rest } = page(locale);
          if (kind === "removal") return cardPage(locale, rest, content);
          const back = html`<p class="aside"><a href="${CONNECTED_APPS_PATH}">${locale.texts.connectedApps.title}</a></p>`;
          return cardPage(locale, { ...rest, width: "medium" }, html`${content}${kind === "list" && back}`);
        },
        { ...options, account },
      );
    },
  };
}

function peopleOf(shop: OwnShop, merchant: Parameters<PeoplePages["send"]>[1]["merchant"]) {
  const { id, name, role } = shop;
  return { merchant, role, name, group: { shopId: id }, paths: shopPeoplePaths(id) };
}
