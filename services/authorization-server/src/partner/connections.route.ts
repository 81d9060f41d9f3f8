import { recordAudit } from "@partner-connect/audit";
import { type ClientConnection, clientConnections, countClientConnections, revoke } from "@partner-connect/connections";
import { refusalsOfClient } from "@partner-connect/connections/activity";
import type { ClientSummary } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor, originOf } from "../pages/actor.ts";
import { formToken, isOurForm } from "../pages/csrf.ts";
import { notFoundPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { MAX_SEARCH } from "../pages/names.ts";
import { redirectTo } from "../pages/send-page.ts";
import { CONNECTION_STATUSES } from "../protocol.ts";
import { connectionPath, connectionsView, connectionView, disconnectView } from "./connections.view.ts";
import { changeAsMember, OUT_OF_DATE, proven, type Refusal, sectionPath, sendPartnerPage } from "./partner-page.ts";

/** Rows of a page. */
const LIMIT = 25;

/** Refusals that the page of a connection names. */
const REFUSALS = 10;

const CONNECTION = "/connections/:connectionId";

/** The connections of a client, with a page for each, and the way to end one. */
export function connectionsRoutes(app: FastifyInstance): void {
  const { sql } = app;
  const { refreshTokenTtl } = app.config.tokens;
  const preHandler = proven("connections");

  app.get("/connections", async ({ query, partner: client }, reply) => {
    const [search, after] = [formField(query, "find").slice(0, MAX_SEARCH).trim(), formField(query, "after")];
    const status = CONNECTION_STATUSES.find((known) => known === formField(query, "status"));
    const asked = {
      direction: "forward",
      limit: LIMIT,
      ...(after !== "" && { cursor: after }),
    } as const;
    const filter = { status, search: search === "" ? undefined : search };
    const [found, total] = await Promise.all([
      clientConnections(sql, client.clientId, { ...filter, ...asked }, refreshTokenTtl),
      countClientConnections(sql, client.clientId, filter, refreshTokenTtl),
    ]);
    // The cursor is no connection of this client: the list from its beginning.
    if (!found) return redirectTo(reply, sectionPath(client, "connections"));
    const view = {
      ...found,
      total,
      client,
      search,
      status,
      isDone: formField(query, "done") === "1",
      isFirst: after === "",
    };
    return sendPartnerPage(reply, "connections", ({ connections }, locale) => ({
      body: connectionsView(view, connections, locale),
    }));
  });

  app.get(CONNECTION, async (request, reply) => {
    const { partner: client } = request;
    const connection = await findConnection(request);
    if (!connection) return notFoundPage(reply);
    const asked = { connectionId: connection.id };
    const refusals = await refusalsOfClient(sql, client.clientId, asked, REFUSALS);
    const view = { client, connection, refusals: refusals.slice(0, REFUSALS) };
    return sendPartnerPage(reply, "connections", ({ connections }, locale) =>
      connectionView(view, connections, locale),
    );
  });

  app.get(`${CONNECTION}/disconnect`, { preHandler }, async (request, reply) => {
    const connection = await findConnection(request);
    return connection ? confirm(reply, connection) : notFoundPage(reply);
  });

  app.post(`${CONNECTION}/disconnect`, { preHandler }, async (request, reply) => {
    const connection = await findConnection(request);
    if (!connection) return notFoundPage(reply);
    if (!isOurForm(request, disconnectPath(request.partner, connection)))
      return confirm(reply, connection, OUT_OF_DATE);
    await disconnect(connection, request);
    return redirectTo(reply, `${sectionPath(request.partner, "connections")}?done=1`);
  });

  /** The client's connection that the URL names. */
  async function findConnection({ params, partner: client }: FastifyRequest) {
    const { connectionId } = params as { readonly connectionId: string };
    const asked = { direction: "forward", limit: 1, only: connectionId } as const;
    const found = await clientConnections(sql, client.clientId, asked, refreshTokenTtl);
    return found?.rows[0];
  }

  function confirm(reply: FastifyReply, connection: ClientConnection, refusal?: Refusal) {
    const { partner: client } = reply.request;
    const back = connectionPath(client, connection);
    // What has ended has nothing to confirm.
    if (connection.status === "revoked") return redirectTo(reply, back);
    const action = disconnectPath(client, connection);
    const form = { action, token: formToken(reply, action), back };
    return sendPartnerPage(
      reply,
      "connections",
      (texts, locale) => disconnectView(connection, form, texts, locale),
      refusal,
    );
  }

  /** Ends the connection as the client does by its token, so that the shop is told the same; and who did it is on record. */
  async function disconnect({ shopId, id }: ClientConnection, request: FastifyRequest) {
    const { clientId } = request.partner;
    const client = { ...originOf(request), name: `client:${clientId}` };
    const reason = "disconnected by the partner";
    const isRevoked = await changeAsMember(request, async (tx) => {
      if (!(await revoke(tx, { shopId, id }, client, { reason }))) return false;
      const event = { action: "partner_disconnect", clientId, detail: { connection_id: id, shop_id: shopId } } as const;
      await recordAudit(tx, event, merchantActor(request, request.merchant));
      return true;
    });
    if (isRevoked) noteFacts(request, { shopId, connectionId: id, outcome: "revoked" });
  }
}

function disconnectPath(client: ClientSummary, connection: ClientConnection): string {
  return `${connectionPath(client, connection)}/disconnect`;
}
