import type { Connection, ConnectionCount } from "@partner-connect/connections";
import type { OpenStack } from "../../run/command.ts";

/** A client's connections, by what an operator needs to know of them. */
export interface ConnectionCounts {
  readonly byStatus: Readonly<Record<Connection["status"], number>>;
  readonly connected: number;
  /** Of the connected ones, those that fit. */
  connectedOnes(fits: (alike: ConnectionCount) => boolean): number;
}

export async function countsOf(
  { sql, refreshTokenTtlSeconds }: OpenStack,
  clientId: string,
): Promise<ConnectionCounts> {
  const { countConnections } = await import("@partner-connect/connections");
  const counts = await countConnections(sql, clientId, refreshTokenTtlSeconds);
  const sum = (fits: (alike: ConnectionCount) => boolean) =>
    counts.filter(fits).reduce((total, { connections }) => total + connections, 0);
  const of = (status: Connection["status"]) => sum((alike) => alike.status === status);
  const byStatus = {
    connected: of("connected"),
    approved: of("approved"),
    expired: of("expired"),
    revoked: of("revoked"),
    disabled: of("disabled"),
  };
  return {
    byStatus,
    connected: byStatus.connected,
    connectedOnes: (fits) => sum((alike) => alike.status === "connected" && fits(alike)),
  };
}
