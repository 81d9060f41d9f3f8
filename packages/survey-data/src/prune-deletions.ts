import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, type Transaction, transaction } from "@partner-connect/database";
import { requireShop, takeStamp } from "./take-stamp.ts";

/** How long a deletion stays in the list, as partners are promised. */
export const DELETIONS_KEPT_DAYS = 400;

const BATCH = 10_000;

export interface Pruning {
  readonly before: Date;
  readonly shopId?: string | undefined;
}

export interface PrunableDeletions {
  readonly shopId: string;
  readonly deletions: number;
}

/**
 * What {@link pruneDeletions} would forget, reading the whole table. A shop's newest one from before that time stays, so that a
 * partner who has read that far goes on from it. @throws {UnknownShopError}
 */
export async function prunableDeletions(sql: Sql, { before, shopId }: Pruning): Promise<PrunableDeletions[]> {
  if (shopId !== undefined) await requireShop(sql, shopId);
  const found = await sql<{ shopId: string }[]>`
    SELECT DISTINCT shop_id AS "shopId" FROM survey.deleted_responses
    WHERE deleted_at < ${before} ${shopId === undefined ? sql`` : sql`AND shop_id = ${shopId}`}
    ORDER BY shop_id`;
  const counted: PrunableDeletions[] = [];
  for (const { shopId } of found) {
    const kept = await newestBefore(sql, shopId, before);
    const [row] = await sql<{ deletions: number }[]>`
      SELECT count(*)::int AS deletions FROM survey.deleted_responses
      WHERE shop_id = ${shopId} AND deleted_at < ${before} AND id <> ALL (${kept})`;
    if (row && row.deletions > 0) counted.push({ shopId, deletions: row.deletions });
  }
  return counted;
}

/** Forgets older deletions, in steps that commit, and returns how many. Needs the owner's role. Index: deleted_responses_pkey. */
export async function pruneDeletions(
  sql: Sql,
  pruning: Pruning,
  actor: Actor,
  batch: number = BATCH,
): Promise<PrunableDeletions[]> {
  const { before } = pruning;
  const pruned: PrunableDeletions[] = [];
  for (const { shopId } of await prunableDeletions(sql, pruning)) {
    const kept = await newestBefore(sql, shopId, before);
    let deletions = 0;
    let after = "";
    for (let isDone = false; !isDone; ) {
      const step = { shopId, before, kept, after, batch };
      const { count, last } = await transaction(sql, (inside) => pruneStep(inside, step, actor));
      deletions += count;
      isDone = last === null;
      after = last ?? after;
    }
    pruned.push({ shopId, deletions });
  }
  return pruned;
}

interface Step {
  readonly shopId: string;
  readonly before: Date;
  readonly kept: readonly string[];
  readonly after: string;
  readonly batch: number;
}

async function pruneStep(
  sql: Transaction,
  { shopId, before, kept, after, batch }: Step,
  actor: Actor,
): Promise<{ readonly count: number; readonly last: string | null }> {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM survey.deleted_responses
    WHERE shop_id = ${shopId} AND id > ${after} AND deleted_at < ${before} AND id <> ALL (${[...kept]})
    ORDER BY id LIMIT ${batch}`;
  const ids = rows.map(({ id }) => id);
  // The shop's lock comes before those of the rows, as in all writers.
  if (ids.length > 0) await takeStamp(sql, shopId, []);
  // A record that was deleted again since is younger now.
  const { count } = await sql`
    DELETE FROM survey.deleted_responses
    WHERE shop_id = ${shopId} AND id = ANY (${ids}) AND deleted_at < ${before}`;
  if (count > 0) {
    const detail = { pruned: count, before: before.toISOString() };
    await recordAudit(sql, { action: "response_prune_deleted", shopId, detail }, actor);
  }
  return { count, last: rows.length < batch ? null : (ids.at(-1) ?? null) };
}

/** Where a reader may stand who has seen everything from before that time. Index: deleted_responses_by_time. */
async function newestBefore(sql: Queries, shopId: string, before: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    (SELECT id FROM survey.deleted_responses WHERE shop_id = ${shopId} AND deleted_at < ${before} AND NOT imported_again
     ORDER BY deleted_at DESC, id DESC LIMIT 1)
    UNION
    (SELECT id FROM survey.deleted_responses WHERE shop_id = ${shopId} AND deleted_at < ${before}
     ORDER BY deleted_at DESC, id DESC LIMIT 1)`;
  return rows.map(({ id }) => id);
}
