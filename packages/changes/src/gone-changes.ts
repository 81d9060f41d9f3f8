import { type Purge, purgeOf } from "@partner-connect/audit";

/** The last entry of a connection whose row is deleted, by which its client learns that it ended. */
export const GONE_CHANGES: Purge = purgeOf({
  table: "oauth.changes",
  key: ["client_id", "connection_id", "kind"],
  what: "gone_changes",
  noun: "entry of a feed for a connection that is forgotten",
  keptDays: 400,
  condition: "t.gone AND t.at < $1",
});
