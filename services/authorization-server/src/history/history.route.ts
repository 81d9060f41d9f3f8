import {
  type AuditAction,
  type HistoryPlace,
  historyOfAccount,
  historyOfShop,
  type PastEvent,
} from "@partner-connect/audit";
import { listConnections } from "@partner-connect/connections";
import { shopsOfMerchant } from "@partner-connect/directory";
import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../merchant-page/errors/error-page.ts";
import { formField } from "../merchant-page/forms/form-token.ts";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, type PageContext } from "../merchant-page/page-context.ts";
import { ACCOUNT_HISTORY_PATH, historyPath } from "../merchant-page/paths.ts";
import { signInFirst } from "../merchant-page/return/sign-in-first.ts";
import { en } from "../merchant-page/texts/en.ts";
import { accountHistoryView, type Shown, shopHistoryView } from "./history.view.ts";

const PAGE = 50;

/** What has a text is told. Invitations and members are for owners, as their page is. */
const EVENTS = {
  apps: Object.keys(en.history.apps) as AuditAction[],
  people: Object.keys(en.history.people) as AuditAction[],
  account: Object.keys(en.history.account) as AuditAction[],
};

/** What happened with a shop and its apps, and with the merchant's own account, from the audit log. */
export function historyRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, signIn } = context;

  app.get<{ Params: { shopId: string } }>(historyPath(":shopId"), async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const shops = await beforeDeadline(shopsOfMerchant(sql, merchant.id));
    const shop = shops.find(({ id }) => id === request.params.shopId);
    if (!shop) return notFoundPage(reply);
    const { query } = request;
    const [asked, clientId, before] = [formField(query, "show"), formField(query, "app"), placeOf(query)];
    const connections = await beforeDeadline(listConnections(sql, { shopId: shop.id }, context.refreshTokenTtlSeconds));
    const clients = new Map(connections.map((each) => [each.clientId, each.clientName]));
    const show: Shown = asked === "apps" || (asked === "people" && shop.role === "owner") ? asked : "all";
    const isOfApp = clients.has(clientId) && show !== "people";
    const isOfApps = isOfApp || show === "apps" || shop.role !== "owner";
    const actions = show === "people" ? EVENTS.people : isOfApps ? EVENTS.apps : [...EVENTS.apps, ...EVENTS.people];
    const filter = { shopId: shop.id, clientId: isOfApp ? clientId : null, actions, before, limit: PAGE + 1 };
    const events = await beforeDeadline(historyOfShop(sql, filter));
    const view = {
      shop,
      clients,
      show,
      clientId: isOfApp ? clientId : "",
      ...pageOf(events),
      isFirst: before === null,
    };
    const account = signIn.account(reply, merchant);
    return sendMerchantPage(reply, (locale) => shopHistoryView(view, locale), { account });
  });

  app.get(ACCOUNT_HISTORY_PATH, async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const before = placeOf(request.query);
    const filter = { merchantId: merchant.id, actions: EVENTS.account, before, limit: PAGE + 1 };
    const view = { ...pageOf(await beforeDeadline(historyOfAccount(sql, filter))), isFirst: before === null };
    const account = signIn.account(reply, merchant);
    return sendMerchantPage(reply, (locale) => accountHistoryView(view, locale), { account });
  });
}

function pageOf(events: readonly PastEvent[]): { events: readonly PastEvent[]; older: string | null } {
  const shown = events.slice(0, PAGE);
  const last = shown.at(-1);
  return { events: shown, older: last && events.length > PAGE ? `${last.at.getTime()}.${last.id}` : null };
}

/** Where the page before ended; the newest if the URL says nothing that we wrote. */
function placeOf(query: unknown): HistoryPlace | null {
  const [, ms, id] = /^(\d{1,15})\.(aud_[0-9a-f]{32})$/.exec(formField(query, "before")) ?? [];
  return ms && id ? { at: new Date(Number(ms)), id } : null;
}
