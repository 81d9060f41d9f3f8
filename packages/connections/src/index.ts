export { type Approval, approve } from "./approve.ts";
export { CONNECTION_STATUSES, type Connection, type LiveGrant, TRANSITIONS } from "./connection.ts";
export { type Exchange, type ExchangeOutcome, exchange } from "./exchange.ts";
export { disable, enable } from "./hold.ts";
export { type ConnectionFilter, type ListedConnection, listConnections } from "./list-connections.ts";
export { noteReplay } from "./note-replay.ts";
export { type Refresh, refresher } from "./refresh.ts";
export type { RefreshOutcome } from "./refresh-outcome.ts";
export { type ConnectionKey, revoke } from "./revoke.ts";
