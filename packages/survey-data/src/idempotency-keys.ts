import { type Purge, purgeOf } from "@partner-connect/audit";

/** The services remember a key for 24 hours, and delete a few of the shop's with each new one; a shop that stopped writing keeps the rest. */
export const IDEMPOTENCY_KEYS: Purge = purgeOf({
  table: "survey.idempotency_keys",
  key: ["shop_id", "caller_id", "key_hash"],
  what: "idempotency_keys",
  noun: "expired idempotency key",
  keptDays: 2,
  condition: "t.created_at < $1",
});
