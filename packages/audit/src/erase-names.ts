import type { Sql, Transaction } from "@partner-connect/database";

type Log = "oauth" | "directory";

/** Whose id is in which column, and which fields of details name them, in which log. */
const NAMED = {
  shop: { column: "shop_id", fields: { oauth: ["name", "email"] } },
  client: {
    column: "client_id",
    fields: {
      directory: ["name", "redirect_uris", "publisher", "website", "privacy_policy", "contact", "host", "email"],
    },
  },
  // In the shops' log a name is a shop's.
  merchant: { column: "merchant_id", fields: { oauth: ["email"], directory: ["email", "name"] } },
} as const satisfies Record<string, { column: string; fields: Partial<Record<Log, readonly string[]>> }>;

/**
 * Removes the names and addresses of a shop, a client or a merchant from the details of its records, and returns their number. Run it in
 * the transaction that erases it. Indexes: audit_log_by_shop, …_by_client, …_by_merchant. Needs the owner's role.
 */
export async function eraseNames(tx: Transaction, whose: keyof typeof NAMED, id: string): Promise<number> {
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

/** The addresses that a merchant had before. Index: audit_log_by_merchant. */
export async function formerEmails(sql: Sql, merchantId: string): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    SELECT DISTINCT details -> 'email' ->> 'from' AS email FROM directory.audit_log
    WHERE merchant_id = ${merchantId} AND event = 'merchant_update'`;
  return rows.map(({ email }) => email);
}
