import { type Purge, purgeOf } from "@partner-connect/audit";

/** Links that were used, or ended unused. A link that is gone is answered like one that has ended. */
export const MERCHANT_LINKS: Purge = purgeOf({
  table: "directory.merchant_links",
  key: ["token_hash"],
  what: "merchant_links",
  noun: "link that was used or has ended",
  keptDays: 30,
  condition: "least(t.used_at, t.expires_at) < $1",
});
