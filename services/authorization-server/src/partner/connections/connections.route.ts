import { recordAudit } from "@partner-connect/audit";
import { type ClientConnection, clientConnections, revoke } from "@partner-connect/connections";
import { refusalsOfClient } from "@partner-connect/connections/activity";
import { transaction } from "@partner-connect/database";
import { CONNECTION_STATUSES } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFoundPage } from "../../merchant-page/errors/error-page.ts";
import { formField } from "../../merchant-page/forms/form-token.ts";
import { plainName } from "../../merchant-page/frame/name.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { MAX_SEARCH } from "../../merchant-page/name-search.ts";
import { beforeDeadline, merchantActor, originOf, type PageContext } from "../../merchant-page/page-context.ts";
import { ownerOf, partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath, sectionRoute } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { connectionPath, connectionsView, connectionView, disconnectView } from "./connections.view.ts";

const SECTION = "connections";

/** Rows of a page. */
const LIMIT = 25;

/** Refusals that the page of a connection names. */
const REFUSALS = 10;

type Id = { readonly Params: { readonly connectionId: string } };

/** The connections of a client, with a page for each, and the way to end one. */
export function connectionsRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, formTokens, refreshTokenTtlSeconds } = context;
  const route = `${sectionRoute(SECTION)}/:connectionId`;

  app.get(sectionRoute(SECTION), async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    if (!page) return reply;
    const { query } = request;
    const [search, after] = [formField(query, "find").slice(0, MAX_SEARCH).trim(), formField(query, "after")];
    const status = CONNECTION_STATUSES.find((known) => known === formField(query, "status"));
    const asked = {
      direction: "forward",
      limit: LIMIT,
      status,
      ...(after !== "" && { cursor: after }),
      ...(search !== "" && { search }),
    } as const;
    const found = await beforeDeadline(clientConnections(sql, page.client.clientId, asked, refreshTokenTtlSeconds));
    // The cursor is no connection of this client: the list from its beginning.
    if (!found) return redirectTo(reply, sectionPath(page.client.clientId, SECTION));
    const view = { ...found, page, search, status, isDone: formField(query, "done") === "1", isFirst: after === "" };
    return sendPartnerPage(context, reply, page, {
      section: SECTION,
      body: (texts, locale) => connectionsView(view, texts.connections, locale),
    });
  });

  app.get<Id>(route, async (request, reply) => {
    const page = await partnerOf(context, request, reply);
    const connection = page && (await findConnection(page, request, reply));
    if (!page || !connection) return reply;
    const { clientId } = page.client;
    const refusals = await beforeDeadline(refusalsOfClient(sql, clientId, { connectionId: connection.id }, REFUSALS));
    return sendPartnerPage(context, reply, page, {
      section: SECTION,
      title: () => plainName(connection.shopName),
      body: (texts, locale) =>
        connectionView({ page, connection, refusals: refusals.slice(0, REFUSALS) }, texts.connections, locale),
    });
  });

  app.get<Id>(`${route}/disconnect`, async (request, reply) => {
    const page = await ownerOf(context, request, reply, SECTION);
    const connection = page && (await findConnection(page, request, reply));
    return page && connection ? confirm(reply, page, connection) : reply;
  });

  app.post<Id>(`${route}/disconnect`, async (request, reply) => {
    const page = await ownerOf(context, request, reply, SECTION);
    const connection = page && (await findConnection(page, request, reply));
    if (!page || !connection) return reply;
    if (!formTokens.isValid(request, disconnectPath(page, connection))) return confirm(reply, page, connection, 403);
    await beforeDeadline(disconnect(page, connection, request));
    return redirectTo(reply, `${sectionPath(page.client.clientId, SECTION)}?done=1`);
  });

  /** The client's connection that the URL names. Null: it has answered that there is none. */
  async function findConnection(
    { client }: PartnerPage,
    request: FastifyRequest<Id>,
    reply: FastifyReply,
  ): Promise<ClientConnection | null> {
    const asked = { direction: "forward", limit: 1, only: request.params.connectionId } as const;
    const found = await beforeDeadline(clientConnections(sql, client.clientId, asked, refreshTokenTtlSeconds));
    const connection = found?.rows[0];
    if (connection) return connection;
    notFoundPage(reply);
    return null;
  }

  function confirm(reply: FastifyReply, page: PartnerPage, connection: ClientConnection, status = 200): FastifyReply {
    // What has ended has nothing to confirm.
    if (connection.status === "revoked") return redirectTo(reply, connectionPath(page, connection));
    const token = formTokens.issue(reply, disconnectPath(page, connection));
    return sendPartnerPage(context, reply, page, {
      section: SECTION,
      status,
      title: (texts) => texts.connections.disconnect.title(plainName(connection.shopName)),
      body: ({ connections }) =>
        disconnectView({ page, connection, token, isOutOfDate: status !== 200 }, connections.disconnect),
    });
  }

  /** Ends the connection as the client does by its token, so that the shop is told the same; and who of the team did it is on record. */
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
