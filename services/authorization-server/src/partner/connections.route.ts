import { recordAudit } from "@partner-connect/audit";
import { type ClientConnection, clientConnections, revoke } from "@partner-connect/connections";
import { refusalsOfClient } from "@partner-connect/connections/activity";
import { transaction } from "@partner-connect/database";
import { CONNECTION_STATUSES } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/form-token.ts";
import { MAX_SEARCH } from "../pages/name-search.ts";
import { merchantActor, originOf, type PageContext } from "../pages/page-context.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { connectionPath, connectionsView, connectionView, disconnectView } from "./connections.view.ts";
import { type PartnerRequest, partnerSection } from "./partner-section.ts";
import { OUT_OF_DATE, type PartnerPage, type Refusal } from "./send-partner-page.ts";

/** Rows of a page. */
const LIMIT = 25;

/** Refusals that the page of a connection names. */
const REFUSALS = 10;

/** The connections of a client, with a page for each, and the way to end one. */
export function connectionsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, refreshTokenTtlSeconds } = context;
  const { all, proven, pathOf, send } = partnerSection(app, context, "connections");
  const route = "/:connectionId";

  all.get("", async ({ query }, reply, page) => {
    const [search, after] = [formField(query, "find").slice(0, MAX_SEARCH).trim(), formField(query, "after")];
    const status = CONNECTION_STATUSES.find((known) => known === formField(query, "status"));
    const asked = {
      direction: "forward",
      limit: LIMIT,
      status,
      ...(after !== "" && { cursor: after }),
      ...(search !== "" && { search }),
    } as const;
    const found = await clientConnections(sql, page.client.clientId, asked, refreshTokenTtlSeconds);
    // The cursor is no connection of this client: the list from its beginning.
    if (!found) return redirectTo(reply, pathOf(page));
    const view = { ...found, page, search, status, isDone: formField(query, "done") === "1", isFirst: after === "" };
    return send(reply, page, ({ connections }, locale) => ({ body: connectionsView(view, connections, locale) }));
  });

  all.get(route, async (request, reply, page) => {
    const connection = await findConnection(request, page);
    if (!connection) return notFoundPage(reply);
    const asked = { connectionId: connection.id };
    const refusals = await refusalsOfClient(sql, page.client.clientId, asked, REFUSALS);
    const view = { page, connection, refusals: refusals.slice(0, REFUSALS) };
    return send(reply, page, ({ connections }, locale) => connectionView(view, connections, locale));
  });

  proven.get(`${route}/disconnect`, async (request, reply, page) => {
    const connection = await findConnection(request, page);
    return connection ? confirm(reply, page, connection) : notFoundPage(reply);
  });

  proven.post(`${route}/disconnect`, async (request, reply, page) => {
    const connection = await findConnection(request, page);
    if (!connection) return notFoundPage(reply);
    if (!formTokens.isValid(request, disconnectPath(page, connection))) {
      return confirm(reply, page, connection, OUT_OF_DATE);
    }
    await disconnect(page, connection, request);
    return redirectTo(reply, `${pathOf(page)}?done=1`);
  });

  /** The client's connection that the URL names. */
  async function findConnection({ params }: PartnerRequest, { client }: PartnerPage) {
    const asked = { direction: "forward", limit: 1, only: params.connectionId } as const;
    const found = await clientConnections(sql, client.clientId, asked, refreshTokenTtlSeconds);
    return found?.rows[0];
  }

  function confirm(reply: FastifyReply, page: PartnerPage, connection: ClientConnection, refusal?: Refusal) {
    const back = connectionPath(page, connection);
    // What has ended has nothing to confirm.
    if (connection.status === "revoked") return redirectTo(reply, back);
    const action = disconnectPath(page, connection);
    const form = { action, token: formTokens.issue(reply, action), back };
    return send(
      reply,
      page,
      ({ connections }, locale) => disconnectView(connection, form, connections.disconnect, locale),
      refusal,
    );
  }

  /** Ends the connection as the client does by its token, so that the shop is told the same; and who did it is on record. */
  async function disconnect(page: PartnerPage, { shopId, id }: ClientConnection, request: FastifyRequest) {
    const { clientId } = page.client;
    const client = { ...originOf(request), name: `client:${clientId}` };
    const reason = "disconnected by the partner";
    const isRevoked = await transaction(sql, async (tx) => {
      if (!(await revoke(tx, { shopId, id }, client, { reason }))) return false;
      const event = { action: "partner_disconnect", clientId, detail: { connection_id: id, shop_id: shopId } } as const;
      await recordAudit(tx, event, merchantActor(request, page.account));
      return true;
    });
    if (isRevoked) noteFacts(request, { shopId, connectionId: id, outcome: "revoked" });
  }
}

function disconnectPath(page: PartnerPage, connection: ClientConnection): string {
  return `${connectionPath(page, connection)}/disconnect`;
}
