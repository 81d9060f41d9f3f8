import type { Queries, Transaction } from "@partner-connect/database";

type Log = "oauth" | "directory";

/** Per kind: its id column in both logs, and each log's `details` fields that contain its names. */
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
 * Removes a shop's, client's or merchant's names from its records, in the transaction that erases
 * it. Needs the owner's or back office's role.
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
