import { approvedGrants } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorPage } from "../pages/error-page.ts";
import { authorizationPath } from "./authorization-paths.ts";
import type { ConsentContext } from "./consent-context.ts";
import { grantOf } from "./decision.ts";
import type { OpenAuthorization } from "./sealed-request.ts";

/** The page of an authorization that is decided. The merchant who approved it reads that, and for which shop. */
export async function showEndedPage(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
): Promise<FastifyReply> {
  context.returns.forget(reply, authorizationPath(authorization));
  const approved = await approvedGrant(context, reply.request, authorization);
  const kind = approved?.isExchanged ? "already_connected" : "ended";
  return errorPage(reply, { status: 404, kind, client: authorization.client, approvedFor: approved?.shopName });
}

/** The present grant that this authorization leads to; grants are derived from what was approved. */
async function approvedGrant(
  { sql, signIn }: ConsentContext,
  request: FastifyRequest,
  authorization: OpenAuthorization,
): Promise<{ readonly shopName: string; readonly isExchanged: boolean } | null> {
  const merchant = await signIn.merchant(request);
  if (!merchant) return null;
  const shops = await shopsOfMerchant(sql, merchant.id);
  const asked = { clientId: authorization.clientId, merchantId: merchant.id, shopIds: shops.map(({ id }) => id) };
  const grants = await approvedGrants(sql, asked);
  const approved = grants.find(
    ({ shopId, grantId, scope }) => grantId === grantOf(authorization, [merchant.id, shopId, ...scope]),
  );
  const shop = shops.find(({ id }) => id === approved?.shopId);
  return approved && shop ? { shopName: shop.name, isExchanged: approved.isExchanged } : null;
}
