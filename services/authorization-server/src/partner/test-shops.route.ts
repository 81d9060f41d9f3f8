import { createShop, DirectoryError, MAX_TEST_SHOPS, testShopsOf } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { merchantActor, type PageContext } from "../pages/page-context.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { type PartnerRequest, partnerSection } from "./partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "./send-partner-page.ts";
import { testShopsView } from "./test-shops.view.ts";

/** Shops of made-up responses: the list, and to make one. Everybody of the client may. */
export function testShopsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;
  const { all, pathOf, send } = partnerSection(app, context, "test-shops");

  all.get("", (_, reply, page) => showList(reply, page));

  all.post("", async (request, reply, page) => {
    if (!formTokens.isValid(request, pathOf(page))) return await showList(reply, page, OUT_OF_DATE);
    try {
      await makeTestShop(request, page);
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "TOO_MANY_TEST_SHOPS")) throw error;
      return await showList(reply, page, { status: 422, problem: ({ testShops }) => testShops.tooMany });
    }
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

  async function showList(reply: FastifyReply, page: PartnerPage, refusal?: Refusal): Promise<FastifyReply> {
    const shops = await testShopsOf(sql, page.client.clientId);
    const action = pathOf(page);
    const token = formTokens.issue(reply, action);
    const view = { shops, isFull: shops.length >= MAX_TEST_SHOPS, action, token };
    return send(reply, page, ({ testShops }) => ({ body: testShopsView(testShops, view) }), refusal);
  }
}
