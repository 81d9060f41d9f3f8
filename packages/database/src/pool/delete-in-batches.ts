import type { Row, Sql, Transaction, Value } from "./sql.ts";
import { transaction } from "./transaction.ts";

const BATCH = 500;

export interface Outdated {
  /** Such as `oauth.connections`. */
  readonly table: string;
  /** Its primary key. What it begins with is one shop's or one client's: its rows go by a statement of their own, to one node of a cluster. */
  readonly key: readonly string[];
  /** SQL: whether the row `t` may go, by the time $1. It is asked again once the row is locked. */
  readonly condition: string;
  readonly before: Date;
}

export interface Batches {
  /** Runs in the transaction that deletes these rows. Not called where there are none. */
  readonly onDeleted: (tx: Transaction, rows: readonly Row[]) => Promise<void>;
  /** Gets, after each commit, how many rows were looked at, and how many of them deleted. */
  readonly onProgress?: ((looked: number, deleted: number) => void) | undefined;
  readonly size?: number | undefined;
}

export async function countOutdated(sql: Sql, { table, condition, before }: Outdated): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM ${table} t WHERE ${condition}`,
    [before],
  );
  return row?.count ?? 0;
}

/** Deletes the rows that may go, in the order of their key, and returns their number. Locked ones stay. Needs the owner's role. */
export async function deleteInBatches(sql: Sql, outdated: Outdated, batches: Batches): Promise<number> {
  const { onDeleted, onProgress, size = BATCH } = batches;
  let after: Row | null = null;
  let deleted = 0;
  for (let looked = size; ; looked += size) {
    const edge: Row | null = await edgeOfBatch(sql, outdated, after, size);
    const from = after;
    deleted += await transaction(sql, async (tx) => {
      const rows = await deleteBetween(tx, outdated, from, edge);
      if (rows.length > 0) await onDeleted(tx, rows);
      return rows.length;
    });
    onProgress?.(looked, deleted);
    if (edge === null) return deleted;
    after = edge;
  }
}

/** Rows of one shop that one transaction deletes. */
const SHOP_BATCH = 5000;

/**
 * Deletes all rows of a shop, and returns their number. It commits batch by batch, and may be repeated. Needs the owner's role.
 * @param key the rest of the primary key, after shop_id
 */
export async function deleteOfShop(
  sql: Sql,
  { table, key }: Pick<Outdated, "table" | "key">,
  shopId: string,
  onProgress?: (deleted: number) => void,
): Promise<number> {
  const columns = key.join(", ");
  for (let deleted = 0; ; ) {
    const { count } = await sql.unsafe(
      `DELETE FROM ${table} WHERE shop_id = $1 AND (${columns}) IN
         (SELECT ${columns} FROM ${table} WHERE shop_id = $1 ORDER BY ${columns} LIMIT ${SHOP_BATCH})`,
      [shopId],
    );
    deleted += count;
    onProgress?.(deleted);
    if (count < SHOP_BATCH) return deleted;
  }
}

/** The key of the last row of the next batch; null: fewer rows are left. */
async function edgeOfBatch(sql: Sql, { table, key }: Outdated, after: Row | null, size: number): Promise<Row | null> {
  const columns = key.join(", ");
  const from = after ? `WHERE (${columns}) > (${key.map((_, index) => `$${index + 1}`).join(", ")})` : "";
  const [edge] = await sql.unsafe(
    `SELECT ${columns} FROM ${table} ${from} ORDER BY ${columns} LIMIT 1 OFFSET ${size - 1}`,
    key.flatMap((name) => (after ? [after[name] as string] : [])),
  );
  return edge ?? null;
}

async function deleteBetween(tx: Transaction, outdated: Outdated, after: Row | null, edge: Row | null): Promise<Row[]> {
  const { table, key, condition } = outdated;
  const [first = ""] = key;
  if (!(first === "shop_id" || first === "client_id")) return await deleteWhere(tx, outdated, after, edge);
  const { values, range } = between(outdated, after, edge);
  const found = await tx.unsafe<{ owner: string }[]>(
    `SELECT DISTINCT ${first} AS owner FROM ${table} t WHERE (${condition}) ${range} ORDER BY 1`,
    values,
  );
  const deleted = found.map(({ owner }) => deleteWhere(tx, outdated, after, edge, owner)); // in one write, and in order
  return (await Promise.all(deleted)).flat();
}

async function deleteWhere(
  tx: Transaction,
  outdated: Outdated,
  after: Row | null,
  edge: Row | null,
  owner?: string,
): Promise<Row[]> {
  const { table, key, condition } = outdated;
  const { values, range } = between(outdated, after, edge);
  const ofOwner = owner === undefined ? "" : `AND t.${key[0]} = $${values.push(owner)}`;
  const columns = key.map((name) => `t.${name}`).join(", ");
  const isSame = key.map((name) => `t.${name} = o.${name}`).join(" AND ");
  return await tx.unsafe(
    `DELETE FROM ${table} t
     USING (SELECT ${columns} FROM ${table} t WHERE (${condition}) ${range} ${ofOwner} FOR UPDATE OF t SKIP LOCKED) o
     WHERE ${isSame} ${ofOwner} RETURNING t.*`,
    values,
  );
}

/** SQL for the keys after the one and up to the other, and its values. The first value is the time. */
function between({ key, before }: Outdated, after: Row | null, edge: Row | null): { values: Value[]; range: string } {
  const values: Value[] = [before];
  const bound = (operator: string, row: Row | null) => {
    if (row === null) return "";
    const places = key.map((name) => `$${values.push(row[name] as string)}`);
    return `AND (${key.map((name) => `t.${name}`).join(", ")}) ${operator} (${places.join(", ")})`;
  };
  const range = `${bound(">", after)} ${bound("<=", edge)}`;
  return { values, range };
}
