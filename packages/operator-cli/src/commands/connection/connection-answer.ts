import type { Connection, ListedConnection } from "@partner-connect/connections";
import type { OpenStack } from "../../run/command.ts";
import { OperatorError } from "../../run/context.ts";
import type { Style } from "../../terminal/screen.ts";
import type { Cell } from "../../terminal/table.ts";

const STYLES: Readonly<Record<Connection["status"], Style>> = {
  connected: "green",
  approved: "cyan",
  expired: "dim",
  revoked: "red",
  disabled: "yellow",
};

export const STATUSES = Object.keys(STYLES);

export function statusCell(status: Connection["status"]): Cell {
  return { text: status, style: STYLES[status] };
}

export function connectionJson(connection: Connection) {
  return {
    id: connection.id,
    client_id: connection.clientId,
    shop_id: connection.shopId,
    status: connection.status,
    scope: connection.scope.join(" "),
    connected_at: connection.connectedAt?.toISOString() ?? null,
    last_used_at: connection.lastUsedAt?.toISOString() ?? null,
  };
}

/** 'con_1 of Acme Analytics with Hats' */
export function named({ id, clientName, shopName }: ListedConnection): string {
  return `${id} of ${clientName} with ${shopName}`;
}

/** @throws {OperatorError} UNKNOWN_CONNECTION */
export async function findConnection(
  { sql, refreshTokenTtlSeconds }: Pick<OpenStack, "sql" | "refreshTokenTtlSeconds">,
  id: string,
): Promise<ListedConnection> {
  const { listConnections } = await import("@partner-connect/connections");
  const [connection] = await listConnections(sql, { id }, refreshTokenTtlSeconds);
  if (connection) return connection;
  throw new OperatorError(`there is no connection ${JSON.stringify(id)}`, { code: "UNKNOWN_CONNECTION" });
}
