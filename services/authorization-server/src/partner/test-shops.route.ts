import {
  type Connection,
  disable,
  enable,
  expire,
  listConnections,
  revoke,
} from "@partner-connect/connections";
import { leastPlan } from "@partner-connect/contract";
import {
  type ClientSummary,
  createShop,
  endTestShop,
  lockClient,
  MAX_TEST_SHOPS,
  requestTestShopChange,
  TEST_SHOP_CHANGES,
  type TestShop,
  testShopsOf,
} from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { ENGLISH } from "../browser/locale.ts";
import { statusTag } from "../pages/app-identity.ts";
import { sendNotFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { isolatedName, plainName } from "../pages/names.ts";
import { DOCS_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import { connectionPath, errorsPath } from "./connections.route.ts";
import {
  CHANGED,
  changeAsMember,
  confirmationRoutes,
  copyableText,
  formatNumber,
  OUT_OF_DATE,
  type Refusal,
  type ShowSettings,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

/** For each status of the connection, the actions that are possible. */
const ACTIONS = {
  connected: ["expire", "disable", "revoke"],
  approved: ["disable", "revoke"],
  expired: ["disable", "revoke"],
  disabled: ["enable", "revoke"],
  revoked: [],
} as const satisfies Record<Connection["status"], readonly (keyof typeof BUTTONS)[]>;

const FAILS = "Refreshing fails with";
/** For each button, its text, and what the app will see. */
const BUTTONS = {
  expire: ["Expire", `${FAILS} “refresh token expired”.`],
  revoke: ["Revoke", `${FAILS} “grant revoked” for good.`],
  disable: ["Disable", `${FAILS} “grant revoked” until enabled.`],
  enable: ["Enable", "Refreshing works again."],
  add: ["Add 20 responses", "One new entry in the feed."],
  recategorize: ["Recategorize 5", "Five responses get a new updated_at."],
  delete: ["Delete one", "One new entry in the deleted responses."],
} as const satisfies Record<string, readonly [string, string]>;

/** Shops with generated responses. Each has a page with actions that test the client's app. */
export function testShopsRoutes(app: FastifyInstance, showSettings: ShowSettings): void {
  const { pagesSql, config } = app;
  const { authorizationCodeTtl, refreshTokenTtl } = config.tokens;

  app.post("/settings/test-shops", async (request, reply) => {
    const { partner: client, merchant } = request;
    const { clientId, scope } = client;
    if (!isOurForm(request, purposeOf(client, await testShopsOf(pagesSql, clientId)))) {
      return await showSettings(reply, OUT_OF_DATE);
    }
    const made = await changeAsMember(request, async (tx, actor) => {
      await lockClient(tx, clientId);
      const shops = await testShopsOf(tx, clientId);
      // Even if a form is sent twice, it makes only one shop.
      if (!isOurForm(request, purposeOf(client, shops))) return null;
      let number = 1;
      while (shops.some(({ name }) => name === `Test shop ${number}`)) number += 1;
      const name = `Test shop ${number}`;
      const wanted = { name, ownerEmail: merchant.email, plan: leastPlan(scope), testOf: clientId };
      return await createShop(tx, wanted, actor);
    });
    return made
      ? redirectTo(reply, sectionPath(client, "settings"))
      : await showSettings(reply, CHANGED);
  });

  app.get("/settings/test-shops/:shopId", async (request, reply) => {
    const shop = await findTestShop(request);
    return shop ? await show(reply, shop) : sendNotFoundPage(reply);
  });

  app.post("/settings/test-shops/:shopId", async (request, reply) => {
    const shop = await findTestShop(request);
    if (!shop) return sendNotFoundPage(reply);
    const path = shopPath(request.partner, shop);
    if (!isOurForm(request, path)) return await show(reply, shop, OUT_OF_DATE);
    const isDone = await act(request, shop, formField(request.body, "what"));
    return isDone ? redirectTo(reply, path) : await show(reply, shop, CHANGED);
  });

  confirmationRoutes<TestShop>(app, {
    path: "/settings/test-shops/:shopId/delete",
    section: "settings",
    find: findTestShop,
    view: ({ name }) => ({
      title: `Delete ${plainName(name)}?`,
      body: html`<p>Its responses and connection are deleted.</p>`,
      button: "Delete",
    }),
    back: shopPath,
    async change(request, shop, reply) {
      await changeAsMember(request, (tx, actor) => endTestShop(tx, shop, actor));
      return redirectTo(reply, sectionPath(request.partner, "settings"));
    },
  });

  /** False if there is no such action, or the state of the shop or connection doesn't allow it. */
  async function act(request: FastifyRequest, shop: TestShop, what: string): Promise<boolean> {
    if (shop.isEnding) return false;
    const change = TEST_SHOP_CHANGES.find((known) => known === what);
    const connection = await findConnection(shop);
    const action = connection && ACTIONS[connection.status].find((known) => known === what);
    const done = await changeAsMember(request, async (tx, actor) => {
      if (change) return await requestTestShopChange(tx, shop, change, actor);
      if (!action) return false;
      if (action === "revoke") return await revoke(tx, connection, actor, { reason: "test shop" });
      if (action === "disable") return await disable(tx, connection, actor);
      if (action === "enable") return await enable(tx, connection, actor);
      return await expire(tx, connection, refreshTokenTtl, actor);
    });
    return done === true;
  }

  async function findConnection({ shopId, clientId }: TestShop) {
    const asked = { shopId, clientId, unfinishedSeconds: authorizationCodeTtl };
    return (await listConnections(pagesSql, asked, refreshTokenTtl))[0];
  }

  async function findTestShop({ params, partner: client }: FastifyRequest) {
    const { shopId: asked } = params as { readonly shopId: string };
    return (await testShopsOf(pagesSql, client.clientId)).find(({ shopId }) => shopId === asked);
  }

  async function show(reply: FastifyReply, shop: TestShop, refusal?: Refusal) {
    const { partner: client } = reply.request;
    const action = shopPath(client, shop);
    const token = formToken(browserSecretOrNew(reply), action);
    const connection = await findConnection(shop);
    const status = connection?.status;
    const acts = status === undefined ? [] : ACTIONS[status];
    const { responses, change, lastChange } = shop;
    const form = (acts: readonly (keyof typeof BUTTONS)[]): Html => {
      const row = (act: keyof typeof BUTTONS) => {
        const [text, effect] = BUTTONS[act];
        return html`<li class="row"><div>${effect}</div><button name="what" value="${act}">${text}</button></li>
`;
      };
      return html`<form method="post" action="${action}"><input type="hidden" name="token" value="${token}">
<ul class="rows">${acts.map(row)}</ul></form>`;
    };
    const body = html`<p class="lead fine">${stateTag(shop)} ${copyableText(shop.shopId)} <a href="${DOCS_PATH}/test-your-integration">How test shops work</a></p>
${
  !shop.isEnding &&
  html`<div class="columns halves"><section class="card"><h2>Connection${status && html` ${statusTag(status, ENGLISH)}`}</h2>
${status === undefined && html`<p>Start your app’s flow and choose this shop.</p>`}
${connection && status !== "approved" && html`<p class="fine"><a href="${connectionPath(client, connection)}">Details</a> · <a href="${errorsPath(client, connection)}">Errors</a></p>`}
${acts.length > 0 && form(acts)}</section>
<section class="card"><h2>Responses: ${formatNumber(responses)}</h2>
${
  change === null && shop.steps > 0
    ? html`${lastChange && html`<p role="status">${lastChange.count > 0 ? "Responses changed." : "Nothing changed. The limit is 5,000 responses."}</p>`}
${form(TEST_SHOP_CHANGES)}`
    : html`<p role="status">${shop.steps === 0 ? "Creating" : "Changing"} responses… <a href="">Reload</a></p>`
}</section>
<section class="card whole row"><div><h2>Delete this test shop</h2><p>Its responses and its connection are deleted.</p></div>
<a class="button danger" href="${action}/delete">Delete</a></section></div>`
}`;
    return sendPartnerPage(reply, "settings", { title: plainName(shop.name), body }, refusal);
  }
}

const shopsPath = (client: ClientSummary) => `${sectionPath(client, "settings")}/test-shops`;
const shopPath = (client: ClientSummary, { shopId }: TestShop) => `${shopsPath(client)}/${shopId}`;

/** The purpose of the form that creates a shop. If the list of shops changes, it is out of date. */
function purposeOf(client: ClientSummary, shops: readonly TestShop[]): string {
  return `${shopsPath(client)} ${shops.map(({ shopId }) => shopId).join(" ")}`;
}

export function testShopsView(reply: FastifyReply, shops: readonly TestShop[]): Html {
  const { partner: client } = reply.request;
  const token = formToken(browserSecretOrNew(reply), purposeOf(client, shops));
  const row = (shop: TestShop) =>
    html`<li class="row"><div><p><b><a href="${shopPath(client, shop)}">${isolatedName(shop.name)}</a></b> ${stateTag(shop)}</p>
<p class="fine">${copyableText(shop.shopId)}</p></div></li>
`;
  const create = html`<form method="post" action="${shopsPath(client)}">
<input type="hidden" name="token" value="${token}">
<button>Create test shop</button></form>`;
  return html`<section class="card whole"><div class="row"><div><h2>Test shops</h2>
<p>Connect a test shop as a merchant would. While your app reads it, responses arrive every minute.</p></div>${shops.length < MAX_TEST_SHOPS ? create : html`<p class="fine">You can have up to five test shops.</p>`}</div>
<ul class="rows">${shops.map(row)}</ul></section>`;
}

function stateTag({ steps, isEnding }: TestShop): Html {
  const state = isEnding ? "Deleting…" : steps === 0 ? "Creating responses…" : "Ready";
  return html`<span class="tag muted">${state}</span>`;
}
