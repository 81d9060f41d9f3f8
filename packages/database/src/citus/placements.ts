import type { Queries } from "../pool/sql.ts";

/**
 * Placement of a table on a Citus cluster:
 * - `everywhere`: a reference table, whole on every node, because it is small, changes seldom, and
 *   is joined with most tables.
 * - `by shop_id`, `by client_id`: on the node of the shop or client, colocated with its other rows.
 * - `by id`, `by authorization_hash`: distributed by that column.
 * - `here`: only on the coordinator; no service reads it.
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
 * reference. The refusals and activity of clients are everywhere, because they are small: some
 * hundreds of rows for each client. The directory's audit log is by id, because it grows, and
 * belongs to no shop. Decisions are by hash: they precede the choice of a shop, and if they were
 * everywhere, no approval could commit while a node is down.
 */
const TABLES: Readonly<Record<Placement, string>> = {
  everywhere: `directory.merchants directory.shops directory.clients directory.memberships
    directory.client_secrets directory.client_members directory.api_keys directory.product_keys
    directory.merchant_links directory.passkeys directory.merchant_identities directory.test_shops
    oauth.client_activity oauth.client_refusals`,
  "by id": `directory.audit_log survey.source_position oauth.incoming_worker_jobs
    oauth.incoming_back_office_jobs`,
  "by authorization_hash": "oauth.decisions",
  "by shop_id": `oauth.audit_log oauth.api_usage survey.responses survey.deleted_responses
    survey.questions survey.sources survey.idempotency_keys survey.stamps oauth.connections
    oauth.ended_connections oauth.change_notes`,
  "by client_id": "oauth.change_positions oauth.changes oauth.webhooks",
  here: "public.schema_version",
};

export const PLACEMENTS: ReadonlyMap<string, Placement> = new Map(
  (Object.keys(TABLES) as Placement[]).flatMap((placement) =>
    TABLES[placement].split(/\s+/).map((table) => [table, placement] as const),
  ),
);

/** Our undistributed tables, in order. @throws {DistributionError} if one has no placement */
export async function tablesToDistribute(sql: Queries) {
  const names = await ourTables(sql);
  const unknown = names.filter((name) => !PLACEMENTS.has(name));
  if (unknown.length > 0) {
    throw new DistributionError(
      `no placement is defined for these tables: ${unknown.join(", ")}`,
      "UNKNOWN_TABLES",
      "name each in packages/database/src/citus/placements.ts; or move your own to another schema",
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
