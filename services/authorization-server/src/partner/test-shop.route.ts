import { disable, enable, expire, listConnections, revoke } from "@partner-connect/connections";
import {
  endTestShop,
  requestTestShopChange,
  TEST_SHOP_CHANGES,
  type TestShop,
  testShopsOf,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/form-token.ts";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { type PartnerRequest, partnerSection } from "./partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "./send-partner-page.ts";
import { actionsOf, endingView, type TestShopView, testShopView } from "./test-shop.view.ts";

export interface TestShopContext extends PageContext {
  readonly forgetRefreshToken: (hash: Buffer) => Promise<void>;
}

const BUSY: Refusal = { status: 409, problem: ({ testShops }) => testShops.changedMeanwhile };

/** The page of a test shop: what its client's people do to the connection and the responses, and what the app sees of it. */
export function testShopRoutes(app: FastifyInstance, context: TestShopContext): void {
  const { sql, formTokens, refreshTokenTtlSeconds, forgetRefreshToken } = context;
  const { all, pathOf, send } = partnerSection(app, context, "test-shops");

  all.get("/:shopId", async (request, reply, page) => {
    const shop = await findTestShop(request, page);
    return shop ? await show(reply, page, shop) : notFoundPage(reply);
  });

  all.post("/:shopId", async (request, reply, page) => {
    const shop = await findTestShop(request, page);
    if (!shop) return notFoundPage(reply);
    if (!formTokens.isValid(request, shopPath(page, shop))) return await show(reply, page, shop, OUT_OF_DATE);
    const isDone = await act(request, page, shop, formField(request.body, "what"));
    return isDone ? redirectTo(reply, shopPath(page, shop)) : await show(reply, page, shop, BUSY);
  });

  all.get("/:shopId/delete", askToEnd);

  all.post("/:shopId/delete", async (request, reply, page) => {
    const shop = await findTestShop(request, page);
    if (!shop) return notFoundPage(reply);
    if (!formTokens.isValid(request, deletionPath(page, shop)))
      return await askToEnd(request, reply, page, OUT_OF_DATE);
    await endTestShop(sql, shop, merchantActor(request, page.account));
    return redirectTo(reply, pathOf(page));
  });

  /** False: the connection or the shop is not in a state for it any more, or there is no such action. */
  async function act(request: PartnerRequest, page: PartnerPage, shop: TestShop, what: string): Promise<boolean> {
    const actor = merchantActor(request, page.account);
    if (shop.isEnding) return false;
    const change = TEST_SHOP_CHANGES.find((known) => known === what);
    if (change) return await requestTestShopChange(sql, shop, change, actor);
    const connection = await findConnection(shop);
    const action = actionsOf(connection?.status).find((known) => known === what);
    if (!connection || !action) return false;
    if (action === "revoke") return await revoke(sql, connection, actor, { reason: "test shop" });
    if (action === "disable") return await disable(sql, connection, actor);
    if (action === "enable") return await enable(sql, connection, actor);
    const hash = await expire(sql, connection, refreshTokenTtlSeconds, actor);
    if (hash) await forgetRefreshToken(hash);
    return hash !== null;
  }

  async function findConnection({ shopId, clientId }: TestShop) {
    const asked = { shopId, clientId, unfinishedSeconds: context.authorizationCodeTtlSeconds };
    return (await listConnections(sql, asked, refreshTokenTtlSeconds))[0];
  }

  async function findTestShop({ params }: PartnerRequest, { client }: PartnerPage) {
    const shops = await testShopsOf(sql, client.clientId);
    return shops.find(({ shopId }) => shopId === params.shopId);
  }

  async function show(
    reply: FastifyReply,
    page: PartnerPage,
    shop: TestShop,
    refusal?: Refusal,
  ): Promise<FastifyReply> {
    const action = shopPath(page, shop);
    const status = (await findConnection(shop))?.status;
    const view: TestShopView = { shop, status, action, token: formTokens.issue(reply, action), back: pathOf(page) };
    return send(reply, page, (texts) => testShopView(texts, view), refusal);
  }

  async function askToEnd(request: PartnerRequest, reply: FastifyReply, page: PartnerPage, refusal?: Refusal) {
    const shop = await findTestShop(request, page);
    if (!shop) return notFoundPage(reply);
    const action = deletionPath(page, shop);
    const form = { action, token: formTokens.issue(reply, action), back: shopPath(page, shop) };
    return send(reply, page, ({ testShops }) => endingView(testShops, shop, form), refusal);
  }

  function shopPath(page: PartnerPage, { shopId }: TestShop): string {
    return `${pathOf(page)}/${shopId}`;
  }

  function deletionPath(page: PartnerPage, shop: TestShop): string {
    return `${shopPath(page, shop)}/delete`;
  }
}
