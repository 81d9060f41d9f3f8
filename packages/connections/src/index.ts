export type { Connection, LiveGrant } from "./connection.ts";
export { approve, isResendable } from "./events/approve.ts";
export { type Decision, isDecided, recordDecision, withdrawDecision } from "./events/decision.ts";
export { eraseWholeShop } from "./events/erase-whole-shop.ts";
export { exchange } from "./events/exchange.ts";
export { expire } from "./events/expire.ts";
export { forgetAll, recordForgotten } from "./events/forget.ts";
export { CODE_REPLAYED } from "./events/member-mails.ts";
export { disable, enable, type RevocableToken, revoke, revokeByToken } from "./events/revoke.ts";
export { type ConnectionsOf, countRevocable, revokeAll } from "./events/revoke-all.ts";
export { type ApiUsage, usageOfShop } from "./lists/api-usage.ts";
export {
  type ClientConnection,
  clientConnections,
  connectionStatuses,
  countClientConnections,
} from "./lists/client-connections.ts";
export {
  type ConnectionCount,
  countConnections,
  estimateConnections,
} from "./lists/count-connections.ts";
export {
  approvedGrants,
  isUsed,
  type ListedConnection,
  listConnections,
} from "./lists/list-connections.ts";
export { type Refresh, type RefreshOutcome, refresh, refreshBatch } from "./refresh.ts";
