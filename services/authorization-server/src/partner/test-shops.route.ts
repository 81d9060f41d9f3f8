import { disable, enable, expire, listConnections, revoke } from "@partner-connect/connections";
import {
  type ClientSummary,
  createShop,
  DirectoryError,
  endTestShop,
  requestTestShopChange,
  TEST_SHOP_CHANGES,
  type TestShop,
  testShopsOf,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../pages/actor.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { redirectTo } from "../pages/send-page.ts";
import {
  CHANGED,
  changeAsMember,
  OUT_OF_DATE,
  type Refusal,
  type ShowSettings,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";
import { actionsOf, endingView, type TestShopView, testShopView } from "./test-shops.view.ts";

const FULL: Refusal = { status: 422, problem: ({ testShops }) => testShops.full };

/** Shops of generated responses: a form makes one, and on the page of each the client's people test their app. */
export function testShopsRoutes(app: FastifyInstance, showSettings: ShowSettings): void {
  const { sql, config } = app;
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;

  app.post("/settings/test-shops", async (request, reply) => {
    if (!isOurForm(request, pathOf(request.partner))) return await showSettings(reply, OUT_OF_DATE);
    try {
      await makeTestShop(request);
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "TOO_MANY_TEST_SHOPS")) throw error;
      return await showSettings(reply, FULL);
    }
    return redirectTo(reply, settingsPath(request.partner));
  });

  /** With the plan that the client's scopes need. */
  async function makeTestShop(request: FastifyRequest) {
    const { clientId, scope } = request.partner;
    const shops = await testShopsOf(sql, clientId);
    const wanted = {
      name: `Test shop ${shops.length + 1}`,
      ownerEmail: request.merchant.email,
      plan: scope.includes("sources:write") ? "advanced_attribution" : "standard",
      testOf: clientId,
    };
    await changeAsMember(request, (tx) => createShop(tx, wanted, merchantActor(request, request.merchant)));
  }

  app.get("/settings/test-shops/:shopId", async (request, reply) => {
    const shop = await findTestShop(request);
    return shop ? await show(reply, shop) : notFoundPage(reply);
  });

  app.post("/settings/test-shops/:shopId", async (request, reply) => {
    const shop = await findTestShop(request);
    if (!shop) return notFoundPage(reply);
    const path = shopPath(request.partner, shop);
    if (!isOurForm(request, path)) return await show(reply, shop, OUT_OF_DATE);
    const isDone = await act(request, shop, formField(request.body, "what"));
    return isDone ? redirectTo(reply, path) : await show(reply, shop, CHANGED);
  });

  app.get("/settings/test-shops/:shopId/delete", async (request, reply) => {
    const shop = await findTestShop(request);
    return shop ? askToEnd(reply, shop) : notFoundPage(reply);
  });

  app.post("/settings/test-shops/:shopId/delete", async (request, reply) => {
    const shop = await findTestShop(request);
    if (!shop) return notFoundPage(reply);
    if (!isOurForm(request, deletionPath(request.partner, shop))) return askToEnd(reply, shop, OUT_OF_DATE);
    await changeAsMember(request, (tx) => endTestShop(tx, shop, merchantActor(request, request.merchant)));
    return redirectTo(reply, settingsPath(request.partner));
  });

  /** False: the connection or the shop is not in a state for it any more, or there is no such action. */
  async function act(request: FastifyRequest, shop: TestShop, what: string): Promise<boolean> {
    const actor = merchantActor(request, request.merchant);
    if (shop.isEnding) return false;
    const change = TEST_SHOP_CHANGES.find((known) => known === what);
    if (change) return await changeAsMember(request, (tx) => requestTestShopChange(tx, shop, change, actor));
    const connection = await findConnection(shop);
    const action = actionsOf(connection?.status).find((known) => known === what);
    if (!connection || !action) return false;
    const done = await changeAsMember(request, async (tx) => {
      if (action === "revoke") return await revoke(tx, connection, actor, { reason: "test shop" });
      if (action === "disable") return await disable(tx, connection, actor);
      if (action === "enable") return await enable(tx, connection, actor);
      return await expire(tx, connection, refreshTokenTtl, actor);
    });
    if (done instanceof Buffer) await app.refreshTokens.forgetHash(done);
    return Boolean(done);
  }

  async function findConnection({ shopId, clientId }: TestShop) {
    const asked = { shopId, clientId, unfinishedSeconds: authorizationCodeTtl };
    return (await listConnections(sql, asked, refreshTokenTtl))[0];
  }

  async function findTestShop({ params, partner: client }: FastifyRequest) {
    const { shopId: asked } = params as { readonly shopId: string };
    const shops = await testShopsOf(sql, client.clientId);
    return shops.find(({ shopId }) => shopId === asked);
  }

  async function show(reply: FastifyReply, shop: TestShop, refusal?: Refusal): Promise<FastifyReply> {
    const { partner: client } = reply.request;
    const action = shopPath(client, shop);
    const status = (await findConnection(shop))?.status;
    const view: TestShopView = { shop, status, action, token: formToken(reply, action), back: settingsPath(client) };
    return sendPartnerPage(reply, "settings", (texts, locale) => testShopView(texts, view, locale), refusal);
  }

  function askToEnd(reply: FastifyReply, shop: TestShop, refusal?: Refusal): FastifyReply {
    const { partner: client } = reply.request;
    const action = deletionPath(client, shop);
    const form = { action, token: formToken(reply, action), back: shopPath(client, shop) };
    return sendPartnerPage(reply, "settings", (texts) => endingView(texts, shop, form), refusal);
  }
}

function settingsPath(client: ClientSummary): string {
  return sectionPath(client, "settings");
}

function pathOf(client: ClientSummary): string {
  return `${settingsPath(client)}/test-shops`;
}

function shopPath(client: ClientSummary, { shopId }: TestShop): string {
  return `${pathOf(client)}/${shopId}`;
}

function deletionPath(client: ClientSummary, shop: TestShop): string {
  return `${shopPath(client, shop)}/delete`;
}
