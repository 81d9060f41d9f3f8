import { type Merchant, type OwnShop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../merchant-page/page-context.ts";
import { SIGN_IN_PATH } from "../merchant-page/paths.ts";

export interface OwnedShop {
  readonly merchant: Merchant;
  readonly shop: OwnShop;
}

export type OwnedShopRequest = FastifyRequest<{
  Params: { shopId: string; merchantId?: string };
  Querystring: { done?: unknown };
}>;

type Step = (request: OwnedShopRequest, reply: FastifyReply, owned: OwnedShop) => Promise<FastifyReply>;

/** Runs `step` with the shop that the URL names. For others than its owners, its members too, it is not found, like one that does not exist. */
export function ownedShopStep(context: PageContext, step: Step) {
  return async (request: OwnedShopRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const merchant = await context.signIn.merchant(request);
    if (!merchant) return redirectTo(reply, SIGN_IN_PATH);
    const shops = await beforeDeadline(shopsOfMerchant(context.sql, merchant.id));
    const shop = shops.find(({ id, role }) => id === request.params.shopId && role === "owner");
    return shop ? await step(request, reply, { merchant, shop }) : notFoundPage(reply);
  };
}
