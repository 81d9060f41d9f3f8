import { createShop, DirectoryError, endTestShop, MAX_TEST_SHOPS, testShopsOf } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../../merchant-page/errors/error-page.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../../merchant-page/page-context.ts";
import { type PartnerRequest, partnerSection } from "../partner-page/partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "../partner-page/send-partner-page.ts";
import { endingView, testShopsView } from "./test-shops.view.ts";

/** Shops of made-up responses: to make one, and to have one erased. Everybody of the client may. */
export function testShopsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;
  const { all, pathOf, send } = partnerSection(app, context, "test-shops");

  all.get("", (_, reply, page) => showList(reply, page));

  all.post("", async (request, reply, page) => {
    if (!formTokens.isValid(request, pathOf(page))) return await showList(reply, page, OUT_OF_DATE);
    try {
      await beforeDeadline(makeTestShop(request, page));
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "TOO_MANY_TEST_SHOPS")) throw error;
      return await showList(reply, page, { status: 422, problem: ({ testShops }) => testShops.tooMany });
    }
    return redirectTo(reply, pathOf(page));
  });

  all.get("/:shopId/delete", askToEnd);

  all.post("/:shopId/delete", async (request, reply, page) => {
    if (!formTokens.isValid(request, deletionPath(page, request.params.shopId))) {
      return await askToEnd(request, reply, page, OUT_OF_DATE);
    }
    const shop = await findTestShop(request, page);
    if (!shop) return notFoundPage(reply);
    await beforeDeadline(endTestShop(sql, shop, merchantActor(request, page.account)));
    return redirectTo(reply, pathOf(page));
  });

  /** With the plan that the client's scopes need. */
  async function makeTestShop(request: PartnerRequest, { account, client }: PartnerPage) {
    const { clientId, scope } = client;
    const shops = await testShopsOf(sql, clientId);
    const wanted = {
      name: `Test shop ${shops.length + 1}`,
      ownerEmail: account.email,
      plan: scope.includes("sources:write") ? "advanced_attribution" : "standard",
      testOf: clientId,
    };
    await createShop(sql, wanted, merchantActor(request, account));
  }

  async function findTestShop({ params }: PartnerRequest, { client }: PartnerPage) {
    const shops = await beforeDeadline(testShopsOf(sql, client.clientId));
    return shops.find(({ shopId }) => shopId === params.shopId);
  }

  async function showList(reply: FastifyReply, page: PartnerPage, refusal?: Refusal): Promise<FastifyReply> {
    const shops = await beforeDeadline(testShopsOf(sql, page.client.clientId));
    const action = pathOf(page);
    const token = formTokens.issue(reply, action);
    const view = { shops, isFull: shops.length >= MAX_TEST_SHOPS, action, token };
    return send(reply, page, ({ testShops }) => ({ body: testShopsView(testShops, view) }), refusal);
  }

  async function askToEnd(request: PartnerRequest, reply: FastifyReply, page: PartnerPage, refusal?: Refusal) {
    const shop = await findTestShop(request, page);
    if (!shop) return notFoundPage(reply);
    const action = deletionPath(page, shop.shopId);
    const form = { action, token: formTokens.issue(reply, action), back: pathOf(page) };
    return send(reply, page, ({ testShops }) => endingView(testShops, shop, form), refusal);
  }

  function deletionPath(page: PartnerPage, shopId = ""): string {
    return `${pathOf(page)}/${shopId}/delete`;
  }
}
