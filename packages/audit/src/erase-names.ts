import type { Queries, Transaction } from "@partner-connect/database";

type Log = "oauth" | "directory";

/** For each kind: its id column in both logs, and the fields of `details` that contain names. */
const NAMED = {
  shop: { column: "shop_id", fields: { oauth: ["name", "domain", "email"] } },
  client: {
    column: "client_id",
    fields: {
      directory: "name redirect_uris publisher website privacy_policy contact host email".split(
        " ",
      ),
    },
  },
  // In the shops' log, `name` is the shop's name.
  merchant: { column: "merchant_id", fields: { oauth: ["email"], directory: ["email", "name"] } },
} as const satisfies Record<
  string,
  { column: string; fields: Partial<Record<Log, readonly string[]>> }
>;

/**
 * Removes the names of a shop, client or merchant from the audit records about it, and returns the
 * number of changed records. Needs the owner's role or the back office's.
 */
export async function eraseNames(tx: Transaction, whose: keyof typeof NAMED, id: string) {
  const { column, fields } = NAMED[whose];
  let records = 0;
  for (const [log, names] of Object.entries(fields)) {
    const erased = await tx`
      UPDATE ${tx(`${log}.audit_log`)} SET details = details - ${[...names]}::text[]
      WHERE ${tx(column)} = ${id} AND details ?| ${[...names]}::text[]`;
    records += erased.count;
  }
  return records;
}

/**
 * The merchant's former addresses, without those that other merchants have now. Indexes:
 * audit_log_by_merchant, merchants_by_email.
 */
export async function formerEmails(sql: Queries, merchantId: string): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    SELECT DISTINCT details -> 'email' ->> 'from' AS email FROM directory.audit_log
    WHERE merchant_id = ${merchantId} AND event = 'merchant_update' AND details ? 'email'
      AND NOT EXISTS (SELECT FROM directory.merchants m WHERE m.id <> merchant_id AND lower(m.email) = lower(details -> 'email' ->> 'from'))`;
  return rows.map(({ email }) => email);
}
