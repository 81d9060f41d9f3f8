import type { Queries } from "../pool/sql.ts";

/**
 * Placement of a table on a Citus cluster:
 * - `everywhere`: a reference table, whole on every node, because it is small, changes seldom, and
 *   is joined by everything.
 * - `by shop_id`, `by client_id`: on the node of the shop or client, colocated with its other rows.
 * - `by id`, `by authorization_hash`: distributed by that column.
 * - `here`: only on the coordinator; only migrations read it.
 */
export type Placement =
  | "everywhere"
  | "by shop_id"
  | "by client_id"
  | "by id"
  | "by authorization_hash"
  | "here";

/**
 * All our tables, in the order of distribution: a table follows those that its foreign keys
 * reference.
 */
export const PLACEMENTS: ReadonlyMap<string, Placement> = new Map([
  ["directory.merchants", "everywhere"],
  ["directory.shops", "everywhere"],
  ["directory.clients", "everywhere"],
  ["directory.memberships", "everywhere"],
  ["directory.client_secrets", "everywhere"],
  ["directory.client_members", "everywhere"],
  ["directory.api_keys", "everywhere"],
  ["directory.product_keys", "everywhere"],
  ["directory.merchant_links", "everywhere"],
  ["directory.passkeys", "everywhere"],
  ["directory.merchant_identities", "everywhere"],
  ["directory.test_shops", "everywhere"],
  ["oauth.client_activity", "everywhere"], // small: some numbers for each client and hour
  ["oauth.client_refusals", "everywhere"], // small: some hundreds for each client
  ["directory.audit_log", "by id"], // it grows, and belongs to no shop
  ["survey.source_position", "by id"],
  ["oauth.incoming_worker_jobs", "by id"],
  ["oauth.incoming_back_office_jobs", "by id"],
  // before the shop is known; everywhere, no approval could commit while a node is away
  ["oauth.decisions", "by authorization_hash"],
  ["oauth.audit_log", "by shop_id"],
  ["oauth.api_usage", "by shop_id"],
  ["survey.responses", "by shop_id"],
  ["survey.deleted_responses", "by shop_id"],
  ["survey.questions", "by shop_id"],
  ["survey.sources", "by shop_id"],
  ["survey.idempotency_keys", "by shop_id"],
  ["survey.stamps", "by shop_id"],
  ["oauth.connections", "by shop_id"],
  ["oauth.ended_connections", "by shop_id"],
  ["oauth.change_notes", "by shop_id"],
  ["oauth.change_positions", "by client_id"],
  ["oauth.changes", "by client_id"],
  ["oauth.webhooks", "by client_id"],
  ["public.schema_version", "here"],
]);

/** Our undistributed tables, in order. @throws {DistributionError} if one has no placement */
export async function tablesToDistribute(sql: Queries) {
  const names = await ourTables(sql);
  const unknown = names.filter((name) => !PLACEMENTS.has(name));
  if (unknown.length > 0) {
    throw new DistributionError(
      `no placement is defined for these tables: ${unknown.join(", ")}`,
      "UNKNOWN_TABLES",
      "give each a line in packages/database/src/citus/placements.ts; or move your own to another schema",
    );
  }
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_dist_partition
      JOIN pg_class c ON c.oid = logicalrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE partmethod = 'h' OR repmodel = 't'`;
  const done = new Set(rows.map(({ name }) => name));
  return [...PLACEMENTS]
    .filter(
      ([table, placement]) => placement !== "here" && names.includes(table) && !done.has(table),
    )
    .map(([table, placement]) => ({ table, placement }));
}

/** The tables of our schemas, without partitions. */
export async function ourTables(sql: Queries): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND (nspname IN ('directory', 'oauth', 'survey') OR c.oid = to_regclass('public.schema_version'))
    ORDER BY 1`;
  return rows.map(({ name }) => name);
}

export class DistributionError extends Error {
  override readonly name = "DistributionError";
  readonly code: "CITUS_MISSING" | "UNKNOWN_TABLES";
  readonly hint: string;

  constructor(message: string, code: DistributionError["code"], hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
