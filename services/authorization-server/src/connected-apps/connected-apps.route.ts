import { type Connection, listConnections, revoke } from "@partner-connect/connections";
import { within } from "@partner-connect/database";
import { type Merchant, type Shop, shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../merchant-page/error-page.ts";
import {
  accountOf,
  DATABASE_DEADLINE_MS,
  hasToken,
  type MerchantContext,
  signedInMerchant,
  tokenFor,
} from "../merchant-page/merchant-context.ts";
import { redirectTo, sendPage } from "../merchant-page/send-merchant-page.ts";
import { localeOf } from "../merchant-page/texts/locale.ts";
import { connectionsView } from "./connected-apps.view.ts";
import { disconnectView } from "./disconnect.view.ts";

type DisconnectRequest = FastifyRequest<{ Params: { shopId: string; connectionId: string } }>;

interface OwnConnection {
  readonly merchant: Merchant;
  readonly shop: Shop;
  readonly connection: Connection;
}

/** The apps connected with a merchant's shops, and ending a connection (spec: revocation on the service side). */
export function connectionsRoutes(app: FastifyInstance, context: MerchantContext): void {
  const { sql, refreshTokenTtlSeconds } = context;
  const connectionsOf = (shop: Shop) => listConnections(sql, { shopId: shop.id }, refreshTokenTtlSeconds);

  app.get<{ Querystring: { disconnected?: unknown } }>("/oauth/connections", async (request, reply) => {
    const merchant = await signedInMerchant(context, request);
    if (!merchant) return redirectTo(reply, "/oauth/sign-in");
    const locale = localeOf(request.headers["accept-language"]);
    const own = await within(DATABASE_DEADLINE_MS, shopsOfMerchant(sql, merchant.id));
    const lists = await within(DATABASE_DEADLINE_MS, Promise.all(own.map(connectionsOf)));
    const shops = own.map((shop, index) => ({ shop, connections: lists[index] ?? [] }));
    const view = {
      shops: shops.map(({ shop, connections }) => ({ shop, connections: connections.filter(isNotRevoked) })),
      disconnected: justDisconnected(shops, request.query.disconnected),
      account: accountOf(context, request, reply, merchant),
    };
    return sendPage(reply, locale, connectionsView(view, locale));
  });

  /** Runs `answer` with a connection of the merchant's own shops; one of anybody else's is as unknown as none. */
  const withConnection =
    (answer: (request: DisconnectRequest, reply: FastifyReply, own: OwnConnection) => Promise<FastifyReply>) =>
    async (request: DisconnectRequest, reply: FastifyReply) => {
      const merchant = await signedInMerchant(context, request);
      if (!merchant) return redirectTo(reply, "/oauth/sign-in");
      const shops = await within(DATABASE_DEADLINE_MS, shopsOfMerchant(sql, merchant.id));
      const shop = shops.find(({ id }) => id === request.params.shopId);
      const connections = shop ? await within(DATABASE_DEADLINE_MS, connectionsOf(shop)) : [];
      const connection = connections.find(({ id }) => id === request.params.connectionId);
      if (!shop || !connection) return notFoundPage(reply);
      return await answer(request, reply, { merchant, shop, connection });
    };

  const confirm = (request: DisconnectRequest, reply: FastifyReply, own: OwnConnection, isRefused: boolean) => {
    const locale = localeOf(request.headers["accept-language"]);
    const view = {
      app: own.connection.clientName,
      shop: own.shop.name,
      action: disconnectPath(own),
      token: tokenFor(context, request, reply, disconnectPath(own)),
      problem: isRefused ? locale.texts.disconnect.outOfDate : null,
      account: accountOf(context, request, reply, own.merchant),
    };
    return sendPage(reply, locale, disconnectView(view, locale), { status: isRefused ? 403 : 200 });
  };

  app.get(
    "/oauth/connections/:shopId/:connectionId/disconnect",
    withConnection(async (request, reply, own) => {
      return isNotRevoked(own.connection) ? confirm(request, reply, own, false) : redirectTo(reply, donePath(own));
    }),
  );

  app.post(
    "/oauth/connections/:shopId/:connectionId/disconnect",
    withConnection(async (request, reply, own) => {
      if (!hasToken(context, request, disconnectPath(own))) return confirm(request, reply, own, true);
      const key = { shopId: own.shop.id, id: own.connection.id };
      const actor = { name: `merchant:${own.merchant.id}`, ip: request.ip };
      await within(DATABASE_DEADLINE_MS, revoke(sql, key, actor, { reason: "disconnected by the merchant" }));
      request.log.info({ merchant: own.merchant.id, connection: key.id, shop: key.shopId }, "connection disconnected");
      return redirectTo(reply, donePath(own));
    }),
  );
}

function isNotRevoked(connection: Connection): boolean {
  return connection.status !== "revoked";
}

function disconnectPath({ shop, connection }: OwnConnection): string {
  return `/oauth/connections/${shop.id}/${connection.id}/disconnect`;
}

function donePath({ connection }: OwnConnection): string {
  return `/oauth/connections?disconnected=${connection.id}`;
}

/** The merchant's own connection that the URL names, if it really is disconnected. */
function justDisconnected(
  shops: readonly { readonly shop: Shop; readonly connections: readonly Connection[] }[],
  id: unknown,
): { app: string; shop: string } | null {
  for (const { shop, connections } of shops) {
    const found = connections.find((connection) => connection.id === id && connection.status === "revoked");
    if (found) return { app: found.clientName, shop: shop.name };
  }
  return null;
}
