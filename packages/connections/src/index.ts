export type { Connection, TokenSubject } from "./connection.ts";
export { approve, isResendable } from "./events/approve.ts";
export { CODE_REPLAYED } from "./events/audit-and-mail.ts";
export { type Decision, isDecided, recordDecision, withdrawDecision } from "./events/decision.ts";
export { exchange } from "./events/exchange.ts";
export { expire } from "./events/expire.ts";
export { forgetClientActivity, forgetConnections, recordForgotten } from "./events/forget.ts";
export {
  type ConnectionsOf,
  countRevocable,
  disable,
  enable,
  type RevocableToken,
  revoke,
  revokeAll,
  revokeByToken,
} from "./events/revoke.ts";
export {
  type AnyConnection,
  allConnections,
  type ClientConnection,
  clientConnections,
  connectionStatuses,
  countClientConnections,
  countConnections,
  estimateConnections,
  MAX_COUNT,
} from "./lists/client-connections.ts";
export {
  type ApiUsage,
  approvedGrants,
  countConnected,
  type ListedConnection,
  lastUses,
  listConnections,
  usageOfShop,
  wasUsedRecently,
} from "./lists/list-connections.ts";
export { type Refresher, refresher } from "./refresh.ts";
