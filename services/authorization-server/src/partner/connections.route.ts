import { recordAudit } from "@partner-connect/audit";
import { type ClientConnection, clientConnections, countClientConnections, revoke } from "@partner-connect/connections";
import type { ClientSummary } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { statusTag } from "../pages/app-identity.ts";
import { originOf } from "../pages/csrf.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { type Locale, notice } from "../pages/frame.ts";
import { exact, moment } from "../pages/moment.ts";
import { MAX_SEARCH, named, plainName } from "../pages/names.ts";
import { redirectTo } from "../pages/send-page.ts";
import { CONNECTION_STATUSES } from "../protocol.ts";
import { changeAsMember, confirmed, type PartnerView, proven, sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Rows of a page. */
const LIMIT = 25;

const CONNECTION = "/connections/:connectionId";

/** The connections of a client, with a page for each, and the way to end one. */
export function connectionsRoutes(app: FastifyInstance): void {
  const { sql } = app;
  const { refreshTokenTtl } = app.config.tokens;

  app.get("/connections", async ({ query, partner: client }, reply) => {
    const [search, after] = [formField(query, "find").slice(0, MAX_SEARCH).trim(), formField(query, "after")];
    const status = CONNECTION_STATUSES.find((known) => known === formField(query, "status"));
    const asked = { direction: "forward", limit: LIMIT, ...(after !== "" && { cursor: after }) } as const;
    const filter = { status, search: search === "" ? undefined : search };
    const [found, total] = await Promise.all([
      clientConnections(sql, client.clientId, { ...filter, ...asked }, refreshTokenTtl),
      countClientConnections(sql, client.clientId, filter, refreshTokenTtl),
    ]);
    // The cursor is no connection of this client: the list from its beginning.
    if (!found) return redirectTo(reply, sectionPath(client, "connections"));
    const { rows, follows } = found;
    const path = sectionPath(client, "connections");
    const shown = { ...(search && { find: search }), ...(status && { status }) };
    const to = (after = "") => `${path}?${new URLSearchParams({ ...shown, ...(after && { after }) })}`;
    return sendPartnerPage(reply, "connections", ({ connections: texts }, locale) => {
      const { connectedApps, consent } = locale.texts;
      const row = (connection: ClientConnection) => {
        const { shopName, shopDomain, status, lastUsedAt } = connection;
        return html`<li class="row"><div><a href="${connectionPath(client, connection)}">${named(shopName)}</a>
<p class="fine">${shopDomain !== null && html`${named(shopDomain)} · `}${connectedApps.lastUsed}: ${lastUsedAt ? exact(lastUsedAt, locale) : texts.never}</p></div>
${statusTag(status, locale)}</li>`;
      };
      return {
        body: html`${notice("done", formField(query, "done") === "1" && connectedApps.status.revoked)}
<form method="get" action="${path}" class="filters">
<p><label for="find">${texts.search}</label><input type="search" id="find" name="find" value="${search}" autocomplete="off"></p>
<p><label for="status">${texts.byStatus}</label><select id="status" name="status"><option value="">${texts.all}</option>
${CONNECTION_STATUSES.map((each) => html`<option value="${each}"${each === status && html` selected`}>${connectedApps.status[each]}</option>`)}</select></p>
<button>${consent.find}</button></form>
${
  rows.length === 0
    ? html`<p class="lead">${texts.none}</p>`
    : html`<p>${texts.total(total, new Intl.NumberFormat(locale.tag).format(total))}</p>
<ul class="card rows">${rows.map(row)}</ul>`
}
<div class="pages">${after !== "" && html`<a class="button" href="${to()}">${consent.showAll}</a>`}
${follows && html`<a class="button" href="${to(rows.at(-1)?.id)}" rel="next">${connectedApps.later}</a>`}</div>`,
      };
    });
  });

  app.get(CONNECTION, async (request, reply) => {
    const { partner: client } = request;
    const connection = await findConnection(request);
    if (!connection) return notFoundPage(reply);
    return sendPartnerPage(reply, "connections", (_, locale) => connectionView(client, connection, locale));
  });

  confirmed<ClientConnection>(app, {
    path: `${CONNECTION}/disconnect`,
    section: "connections",
    preHandler: proven("connections"),
    async find(request) {
      const connection = await findConnection(request);
      return connection?.status === "revoked" ? connectionPath(request.partner, connection) : connection;
    },
    view: ({ shopName }, { connections: { disconnect } }, { texts }) => ({
      title: disconnect.title(plainName(shopName)),
      body: html`<p>${disconnect.lead}</p>`,
      button: texts.connectedApps.disconnect,
    }),
    back: connectionPath,
    async change(request, connection, reply) {
      await disconnect(connection, request);
      return redirectTo(reply, `${sectionPath(request.partner, "connections")}?done=1`);
    },
  });

  /** The client's connection that the URL names. */
  async function findConnection({ params, partner: client }: FastifyRequest) {
    const { connectionId } = params as { readonly connectionId: string };
    const asked = { direction: "forward", limit: 1, only: connectionId } as const;
    const found = await clientConnections(sql, client.clientId, asked, refreshTokenTtl);
    return found?.rows[0];
  }

  /** Ends the connection as the client does by its token, so the shop gets the same mail. The audit log names the member. */
  async function disconnect({ shopId, id }: ClientConnection, request: FastifyRequest) {
    const { clientId } = request.partner;
    const client = { ...originOf(request), name: `client:${clientId}` };
    const reason = "disconnected by the partner";
    const isRevoked = await changeAsMember(request, async (tx, actor) => {
      if (!(await revoke(tx, { shopId, id }, client, { reason }))) return false;
      const event = { action: "partner_disconnect", clientId, detail: { connection_id: id, shop_id: shopId } } as const;
      await recordAudit(tx, event, actor);
      return true;
    });
    if (isRevoked) noteFacts(request, { shopId, connectionId: id, outcome: "revoked" });
  }
}

function connectionPath(client: ClientSummary, { id }: ClientConnection): string {
  return `${sectionPath(client, "connections")}/${id}`;
}

function connectionView(client: ClientSummary, connection: ClientConnection, locale: Locale): PartnerView {
  const { id, shopId, shopName, shopDomain, status, scope, connectedAt, lastUsedAt, expiresAt } = connection;
  const { connectedApps, partner } = locale.texts;
  const texts = partner.connections;
  const at = (date: Date | null): HtmlValue => (date ? moment(date, locale) : texts.never);
  return {
    title: plainName(shopName),
    body: html`<section class="card"><dl class="pairs">
<dt>${texts.byStatus}</dt><dd>${statusTag(status, locale)}</dd>
${shopDomain !== null && html`<dt>Domain</dt><dd>${named(shopDomain)}</dd>`}
<dt>Scope</dt><dd><code>${scope.join(" ")}</code></dd>
<dt>${connectedApps.status.connected}</dt><dd>${at(connectedAt)}</dd>
<dt>${connectedApps.lastUsed}</dt><dd>${at(lastUsedAt)}</dd>
${status === "connected" && expiresAt !== null && html`<dt>${connectedApps.expires}</dt><dd>${exact(expiresAt, locale)}</dd>`}
<dt>${texts.id}</dt><dd><code>${id}</code></dd>
<dt>${texts.shopId}</dt><dd><code>${shopId}</code></dd>
</dl>
${status !== "revoked" && html`<form method="get" action="${connectionPath(client, connection)}/disconnect" class="actions"><button class="danger">${connectedApps.disconnect}</button></form>`}</section>`,
  };
}
