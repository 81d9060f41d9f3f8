import { recordAudit } from "@partner-connect/audit";
import {
  type ClientConnection,
  clientConnections,
  countClientConnections,
  MAX_COUNT,
  revoke,
} from "@partner-connect/connections";
import { errorsOfConnections } from "@partner-connect/connections/activity";
import { grantableScope } from "@partner-connect/contract";
import { type ClientSummary, testShopsOf } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientActor } from "../actor.ts";
import { ENGLISH } from "../browser/locale.ts";
import { statusTag } from "../pages/app-identity.ts";
import { sendNotFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { notice } from "../pages/frame.ts";
import { moment, relativeTime } from "../pages/moment.ts";
import { allowBreaks, isolatedName, MAX_SEARCH, plainName } from "../pages/names.ts";
import { redirectTo } from "../pages/send-page.ts";
import { CONNECTION_STATUSES } from "../protocol.ts";
import { CAUSES } from "./diagnose.ts";
import {
  changeAsMember,
  confirmationRoutes,
  copyableText,
  emptyCard,
  formatNumber,
  pair,
  requireIdentity,
  sectionPath,
  sendPartnerPage,
} from "./partner-page.ts";

/** Rows per page. */
const LIMIT = 25;

const STATUS = ENGLISH.texts.connectedApps.status;
const COLUMNS = ["Shop", "Status", "Connected", "Last refreshed", "Errors in 7 days"];
const TEST_TAG = html`<span class="tag muted">Test</span> `;
const CONNECTION = "/connections/:connectionId";
const HOW_TO_SEARCH = "Type the start of a name or domain, or a whole shop or connection ID.";

/** The list of a client's connections, a page for each connection, and the page that ends one. */
export function connectionsRoutes(app: FastifyInstance): void {
  const { pagesSql } = app;
  const { refreshTokenTtl } = app.config.tokens;

  app.get("/connections", async ({ query, partner: client }, reply) => {
    const search = formField(query, "find").slice(0, MAX_SEARCH).trim();
    const after = formField(query, "after");
    const status = CONNECTION_STATUSES.find((known) => known === formField(query, "status"));
    const asked = { direction: "backward", limit: LIMIT, cursor: after || undefined } as const;
    const filter = { status, search: search === "" ? undefined : search };
    const [found, total, tests] = await Promise.all([
      clientConnections(pagesSql, client.clientId, { ...filter, ...asked }, refreshTokenTtl),
      countClientConnections(pagesSql, client.clientId, filter, refreshTokenTtl),
      testShopsOf(pagesSql, client.clientId),
    ]);
    // If the cursor is no connection of this client, the list starts from its beginning.
    if (!found) return redirectTo(reply, sectionPath(client, "connections"));
    const rows = found.rows.toReversed();
    const path = sectionPath(client, "connections");
    const shown = { ...(search && { find: search }), ...(status && { status }) };
    const to = (after = "") =>
      `${path}?${new URLSearchParams({ ...shown, ...(after && { after }) })}`;
    const errorsOf = await errorsOfConnections(pagesSql, client.clientId, rows);
    const none =
      search !== "" || status !== undefined
        ? emptyCard("Nothing found", HOW_TO_SEARCH, path, "Show all")
        : emptyCard("No shops yet", "A shop is listed once its merchant has approved your app.");
    const row = (connection: ClientConnection) => {
      const { id, shopId, shopName, shopDomain, status, connectedAt, lastUsedAt } = connection;
      const errors = errorsOf.get(id) ?? 0;
      const isTest = tests.some((shop) => shop.shopId === shopId);
      return html`<tr role="row"><td role="cell"><a href="${connectionPath(client, connection)}">${isolatedName(shopName)}</a><p class="fine">${isTest && TEST_TAG}${shopDomain !== null && html`<bdi>${allowBreaks(shopDomain)}</bdi>`}</p></td>
<td role="cell">${statusTag(status, ENGLISH)}</td><td role="cell" class="since">${connectedAt ? relativeTime(connectedAt, ENGLISH) : "Not yet"}</td><td role="cell" data-name="Refreshed: ">${lastUsedAt ? relativeTime(lastUsedAt, ENGLISH) : "Never"}</td><td role="cell" data-name="Errors: "${errors === 0 && html` class="zero"`}>${errors === 0 ? "0" : html`<strong><a href="${errorsPath(client, connection)}">${formatNumber(errors)}</a></strong>`}</td></tr>
`;
    };
    return sendPartnerPage(reply, "connections", {
      body: html`${notice("done", formField(query, "done") === "1" && STATUS.revoked)}
<form method="get" action="${path}" class="filters">
<p><label for="find">Shop name, domain or ID</label><input type="search" id="find" name="find" value="${search}" autocomplete="off"></p>
<p><label for="status">Status</label><select id="status" name="status"><option value="">All</option>
${CONNECTION_STATUSES.map((each) => html`<option value="${each}"${each === status && html` selected`}>${STATUS[each]}</option>`)}</select></p>
<button>Search</button></form>
${
  rows.length === 0
    ? none
    : html`<p class="fine">${total === 1 ? "1 connection" : `${countText(total)} connections, newest first`}</p>
<div class="card table" tabindex="0" role="region" aria-label="Connections"><table role="table"><thead role="rowgroup"><tr role="row">${COLUMNS.map((column) => html`<th role="columnheader">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody></table></div>`
}
${(after !== "" || found.precedes) && html`<div class="pages">${after !== "" && html`<a class="button" href="${to()}">Show all</a>`}${found.precedes && html`<a class="button" href="${to(rows.at(-1)?.id)}" rel="next">Next</a>`}</div>`}`,
    });
  });

  app.get(CONNECTION, async (request, reply) => {
    const { partner: client } = request;
    const connection = await findConnection(request);
    if (!connection) return sendNotFoundPage(reply);
    const { id, shopId, shopDomain, status, connectedAt, lastUsedAt, expiresAt } = connection;
    const scope = grantableScope(connection.scope, client.scope, connection.plan);
    const errors =
      (await errorsOfConnections(pagesSql, client.clientId, [connection])).get(id) ?? 0;
    const body = html`${shopDomain !== null && html`<p class="lead fine"><bdi>${allowBreaks(shopDomain)}</bdi></p>`}
${notice("caution", status !== "connected" && status !== "approved" && CAUSES[status], false)}
<div class="columns"><section class="card whole"><dl class="pairs">
${pair("Status", statusTag(status, ENGLISH))}${pair("Errors", errors === 0 ? "None in 7 days" : html`<a href="${errorsPath(client, connection)}">${formatNumber(errors)} in 7 days</a>`)}
${pair("Last connected", connectedAt ? moment(connectedAt, ENGLISH) : "Not yet")}${pair("Last refreshed", lastUsedAt ? moment(lastUsedAt, ENGLISH) : "Never")}
${pair("Connection ID", copyableText(id))}${pair("Shop ID", copyableText(shopId))}
${pair("Scope", html`<code>${scope.join(" ")}</code>`)}${status === "connected" && expiresAt !== null && pair("Expires if unused", moment(expiresAt, ENGLISH))}
</dl>
${status !== "revoked" && html`<form method="get" action="${connectionPath(client, connection)}/disconnect" class="actions"><button>${endingTexts(connection).button}</button></form>`}</section></div>`;
    return sendPartnerPage(reply, "connections", { title: plainName(connection.shopName), body });
  });

  confirmationRoutes<ClientConnection>(app, {
    path: `${CONNECTION}/disconnect`,
    section: "connections",
    preHandler: requireIdentity("connections"),
    async find(request) {
      const connection = await findConnection(request);
      return connection?.status === "revoked"
        ? connectionPath(request.partner, connection)
        : connection;
    },
    view(connection) {
      const { button, effect } = endingTexts(connection);
      return {
        title: `${button} ${plainName(connection.shopName)}?`,
        body: html`<p>${effect} Only the merchant can connect the shop again.</p>`,
        button,
      };
    },
    back: connectionPath,
    // Revokes as the client would, so the shop gets the same mail. The audit log names the member.
    async change(request, { shopId, id }, reply) {
      const { clientId } = request.partner;
      const client = clientActor(request, clientId);
      const reason = "disconnected by the partner";
      const isRevoked = await changeAsMember(request, async (tx, actor) => {
        if (!(await revoke(tx, { shopId, id }, client, { reason }))) return false;
        const detail = { connection_id: id, shop_id: shopId };
        await recordAudit(tx, { action: "partner_disconnect", clientId, detail }, actor);
        return true;
      });
      if (isRevoked) noteFacts(request, { shopId, connectionId: id, outcome: "revoked" });
      return redirectTo(reply, `${sectionPath(request.partner, "connections")}?done=1`);
    },
  });

  /** The client's connection that the URL names. */
  async function findConnection({ params, partner: client }: FastifyRequest) {
    const { connectionId } = params as { readonly connectionId: string };
    const asked = { direction: "forward", limit: 1, only: [connectionId] } as const;
    const found = await clientConnections(pagesSql, client.clientId, asked, refreshTokenTtl);
    return found?.rows[0];
  }
}

/** A number of connections; `+` if there may be more than were counted. */
export const countText = (count: number) => formatNumber(count) + (count < MAX_COUNT ? "" : "+");

/** The label and the effect of the button that ends a connection or removes an expired one. */
const endingTexts = ({ status }: ClientConnection) =>
  status === "expired"
    ? { button: "Remove", effect: "Your access ended when the connection expired." }
    : { button: "Disconnect", effect: "Your access ends immediately." };

export const connectionPath = (client: ClientSummary, { id }: { readonly id: string }) =>
  `${sectionPath(client, "connections")}/${id}`;
export const errorsPath = (client: ClientSummary, { id }: { readonly id: string }) =>
  `${sectionPath(client, "errors")}?connection=${id}`;
