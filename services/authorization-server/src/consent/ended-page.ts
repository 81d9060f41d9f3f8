import { approvedGrants } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorPage } from "../pages/error-page.ts";
import { forgetPage } from "../pages/return-paths.ts";
import { findSignedIn } from "../sign-in/session.ts";
import { authorizationPath, grantOf } from "./authorization.ts";

/** The page of an authorization that is decided. The merchant who approved it reads that, and for which shop. */
export async function showEndedPage(reply: FastifyReply): Promise<FastifyReply> {
  const { authorization } = reply.request;
  forgetPage(reply, authorizationPath(authorization));
  const approved = await approvedGrant(reply.request);
  if (!approved) return errorPage(reply, { status: 404, kind: "ended", client: authorization.client });
  const kind = approved.isExchanged ? "already_connected" : "already_approved";
  return errorPage(reply, { status: 200, kind, client: authorization.client, approvedFor: approved.shopName });
}

/** The present grant that this authorization leads to; grants are derived from what was approved. */
async function approvedGrant(
  request: FastifyRequest,
): Promise<{ readonly shopName: string; readonly isExchanged: boolean } | null> {
  const { authorization, server } = request;
  const merchant = await findSignedIn(request);
  if (!merchant) return null;
  const shops = await shopsOfMerchant(server.sql, merchant.id);
  const asked = { clientId: authorization.clientId, merchantId: merchant.id, shopIds: shops.map(({ id }) => id) };
  const grants = await approvedGrants(server.sql, asked);
  const approved = grants.find(
    ({ shopId, grantId, scope }) => grantId === grantOf(authorization, [merchant.id, shopId, ...scope]),
  );
  const shop = shops.find(({ id }) => id === approved?.shopId);
  return approved && shop ? { shopName: shop.name, isExchanged: approved.isExchanged } : null;
}
