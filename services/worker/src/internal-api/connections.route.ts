import { listConnections, revoke } from "@partner-connect/connections";
import { TIMESTAMP, text, textOrNull } from "@partner-connect/contract/openapi";
import type { Sql } from "@partner-connect/database";
import { findProductShop, requireProductShop } from "@partner-connect/directory";
import Type from "typebox";
import type { Operation } from "./openapi.ts";

const Connection = Type.Object(
  {
    id: text("The connection's id.", "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01"),
    client_id: text("The client's id.", "client_5f0c1a2b3d4e5f6071829304"),
    client_name: text("The app's name, as merchants know it.", "Lookout"),
    status: text(
      "`connected`, `expired`, `revoked`, `approved` again, or `disabled` by an operator.",
      "connected",
    ),
    scope: text("What the merchant has approved, space-separated.", "responses:read"),
    connected_at: textOrNull("When it was last connected.", "2026-11-21T01:02:03.123Z", TIMESTAMP),
    last_used_at: textOrNull(
      "Last refresh; may lag by an hour.",
      "2026-11-21T01:02:03.123Z",
      TIMESTAMP,
    ),
  },
  { $id: "Connection", description: "An app that is or was connected with the shop." },
);
const Connections = Type.Object(
  { data: Type.Array(Connection, { description: "Oldest first." }) },
  { $id: "Connections", description: "A shop's connections." },
);

/** A shop's connections, for the product's own support. */
export const connectionOperations = (sql: Sql, refreshTokenTtl: number): readonly Operation[] => [
  {
    method: "GET",
    url: "/internal/shops/:id/connections",
    errorStatuses: [404, 409],
    operationId: "listConnections",
    summary: "Lists a shop's connections.",
    description: "Ended connections are listed for 400 days.",
    record: Connections,
    async run({ id: shopId }) {
      await requireProductShop(sql, shopId);
      const connections = await listConnections(sql, { shopId }, refreshTokenTtl);
      const data = connections.map(
        ({ id, clientId, clientName, status, scope, connectedAt, lastUsedAt }) => ({
          ...{ id, client_id: clientId, client_name: clientName, status, scope: scope.join(" ") },
          ...{ connected_at: connectedAt, last_used_at: lastUsedAt },
        }),
      );
      return { record: { data }, isNew: false };
    },
  },
  {
    method: "DELETE",
    url: "/internal/shops/:id/connections/:connection_id",
    errorStatuses: [409],
    operationId: "deleteConnection",
    summary: "Ends a connection.",
    description:
      "Has the effect of a member's disconnecting, even if an operator has put the connection on hold. The members get a mail that names your product.",
    async run({ id: shopId, connection_id: id }, actor) {
      if (await findProductShop(sql, shopId)) await revoke(sql, { shopId, id }, actor);
    },
  },
];
