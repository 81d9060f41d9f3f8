import {
  createShop,
  DirectoryError,
  endTestShop,
  MAX_TEST_SHOPS,
  type TestShop,
  testShopsOf,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../../merchant-page/errors/error-page.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../../merchant-page/page-context.ts";
import { partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { endingView, type TestShopProblem, testShopsView } from "./test-shops.view.ts";

const section = "test-shops";
const ROUTE = sectionRoute(section);

/** Shops of made-up responses: to make one, and to have one erased. All of a partner's team may. */
export function testShopsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens } = context;

  app.get(ROUTE, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    return page ? await showList(context, reply, page) : reply;
  });

  app.post(ROUTE, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    if (!page) return reply;
    const path = sectionPath(page.client.clientId, section);
    if (!formTokens.isValid(request, path)) return await showList(context, reply, page, "outOfDate", 403);
    try {
      await beforeDeadline(makeTestShop(context, request, page));
    } catch (error) {
      if (!(error instanceof DirectoryError && error.code === "TOO_MANY_TEST_SHOPS")) throw error;
      return await showList(context, reply, page, "tooMany", 422);
    }
    return redirectTo(reply, path);
  });

  app.get(`${ROUTE}/:shopId/delete`, async (request, reply) => {
    const found = await testShopOf(context, request, reply);
    return found ? showEnding(context, reply, found) : reply;
  });

  app.post(`${ROUTE}/:shopId/delete`, async (request, reply) => {
    const found = await testShopOf(context, request, reply);
    if (!found) return reply;
    if (!formTokens.isValid(request, deletionPath(found.shop))) return showEnding(context, reply, found, 403);
    await beforeDeadline(endTestShop(sql, found.shop, merchantActor(request, found.page.account)));
    return redirectTo(reply, sectionPath(found.shop.clientId, section));
  });
}

/** With the plan that the client's scopes need. */
async function makeTestShop({ sql }: PageContext, request: FastifyRequest, { account, client }: PartnerPage) {
  const { clientId, scope } = client;
  const shops = await testShopsOf(sql, clientId);
  const wanted = {
    name: `Test shop ${shops.length + 1}`,
    ownerEmail: account.email,
    plan: scope.includes("sources:write") ? "advanced_attribution" : "standard",
    allowUnconfirmed: true,
    testOf: clientId,
  };
  await createShop(sql, wanted, merchantActor(request, account));
}

async function showList(
  context: PageContext,
  reply: FastifyReply,
  page: PartnerPage,
  problem: TestShopProblem | null = null,
  status = 200,
): Promise<FastifyReply> {
  const { clientId } = page.client;
  const shops = await beforeDeadline(testShopsOf(context.sql, clientId));
  const action = sectionPath(clientId, section);
  const token = context.formTokens.issue(reply, action);
  const view = { shops, isFull: shops.length >= MAX_TEST_SHOPS, action, token, problem, deletionPath };
  return sendPartnerPage(context, reply, page, {
    section,
    status,
    body: ({ testShops }) => testShopsView(testShops, view),
  });
}

interface Found {
  readonly page: PartnerPage;
  readonly shop: TestShop;
}

/** The test shop of the client that the URL names. Null: it has answered. */
async function testShopOf(context: PageContext, request: FastifyRequest, reply: FastifyReply): Promise<Found | null> {
  const page = await partnerOf(context, request, reply);
  if (!page) return null;
  const { shopId } = request.params as { readonly shopId: string };
  const shops = await beforeDeadline(testShopsOf(context.sql, page.client.clientId));
  const shop = shops.find((each) => each.shopId === shopId);
  if (shop) return { page, shop };
  notFoundPage(reply);
  return null;
}

function showEnding(context: PageContext, reply: FastifyReply, { page, shop }: Found, status = 200): FastifyReply {
  const action = deletionPath(shop);
  const token = context.formTokens.issue(reply, action);
  return sendPartnerPage(context, reply, page, {
    section,
    status,
    title: ({ testShops }) => testShops.deleteTitle(shop.name),
    body: ({ testShops }) =>
      endingView(testShops, { action, token, isOutOfDate: status === 403, back: sectionPath(shop.clientId, section) }),
  });
}

function deletionPath({ clientId, shopId }: TestShop): string {
  return `${sectionPath(clientId, section)}/${shopId}/delete`;
}
