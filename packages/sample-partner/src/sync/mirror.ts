import type { DatabaseSync } from "node:sqlite";
import type { SyncBatch, SyncState } from "@partner-connect/partner-sdk";
import { transaction } from "../database.ts";

/** Where our copy of a shop's responses is. Null: nothing was copied yet. */
export function copiedState(database: DatabaseSync, connectionId: string): SyncState | null {
  const row = database.prepare("SELECT sync_state FROM shops WHERE connection_id = ?").get(connectionId);
  return row?.["sync_state"] ? JSON.parse(String(row["sync_state"])) : null;
}

/**
 * Applies the batch that follows on `previous`: the responses and the state of the sync change together, or neither does. False, and
 * nothing changed, if the copy is not at `previous` any more: the shop was forgotten meanwhile.
 */
export function applyBatch(
  database: DatabaseSync,
  connectionId: string,
  previous: SyncState | null,
  batch: SyncBatch,
): boolean {
  const { responses, deletedIds, state, reset } = batch;
  const move = database.prepare("UPDATE shops SET sync_state = ? WHERE connection_id = ? AND sync_state IS ?");
  const clear = database.prepare("DELETE FROM responses WHERE connection_id = ?");
  const remove = database.prepare("DELETE FROM responses WHERE connection_id = ? AND id = ?");
  const countDeletions = database.prepare("UPDATE shops SET deletions = deletions + ? WHERE connection_id = ?");
  const put = database.prepare(
    `INSERT OR REPLACE INTO responses (connection_id, id, inserted_at, question_id, response, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return transaction(database, () => {
    if (move.run(JSON.stringify(state), connectionId, previous && JSON.stringify(previous)).changes === 0) return false;
    if (reset) clear.run(connectionId);
    for (const response of responses) {
      const { id, inserted_at, question_id, response: value } = response;
      put.run(connectionId, id, inserted_at, question_id, value, JSON.stringify(response));
    }
    const deletions = deletedIds.filter((id) => Number(remove.run(connectionId, id).changes) > 0).length;
    if (deletions > 0) countDeletions.run(deletions, connectionId);
    return true;
  });
}
