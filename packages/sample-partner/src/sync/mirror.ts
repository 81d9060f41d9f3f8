import type { DatabaseSync } from "node:sqlite";
import type { FollowState, SyncBatch, SyncState } from "@partner-connect/partner-sdk";
import { transaction } from "../database.ts";

/** Where our copy of a shop's responses is. Null: nothing was copied yet. */
export function copiedState(database: DatabaseSync, connectionId: string): SyncState | null {
  const row = database.prepare("SELECT sync_state FROM shops WHERE connection_id = ?").get(connectionId);
  return row?.["sync_state"] ? JSON.parse(String(row["sync_state"])) : null;
}

/** How far we have followed the feed of all shops. */
export function followState(database: DatabaseSync): FollowState | null {
  const row = database.prepare("SELECT state FROM follow").get();
  return row ? JSON.parse(String(row["state"])) : null;
}

/** False, and nothing changed, if what we have is not `previous`: another process follows as well. */
export function keepFollowState(database: DatabaseSync, state: FollowState, previous: FollowState | null): boolean {
  const insert = "INSERT OR IGNORE INTO follow (only, state) VALUES (1, ?)";
  const update = "UPDATE follow SET state = ? WHERE state = ?";
  const text = JSON.stringify(state);
  const { changes } =
    previous === null
      ? database.prepare(insert).run(text)
      : database.prepare(update).run(text, JSON.stringify(previous));
  return Number(changes) > 0;
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
  const move = database.prepare(
    "UPDATE shops SET sync_state = ?, synced_at = coalesce(?, synced_at), trouble = NULL WHERE connection_id = ? AND sync_state IS ?",
  );
  const clear = database.prepare("DELETE FROM responses WHERE connection_id = ?");
  const remove = database.prepare("DELETE FROM responses WHERE connection_id = ? AND id = ?");
  const countDeletions = database.prepare("UPDATE shops SET deletions = deletions + ? WHERE connection_id = ?");
  const put = database.prepare(
    `INSERT OR REPLACE INTO responses (connection_id, id, inserted_at, question_id, response, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return transaction(database, () => {
    const now = state.copying ? null : new Date().toISOString();
    const moved = move.run(JSON.stringify(state), now, connectionId, previous && JSON.stringify(previous));
    if (moved.changes === 0) return false;
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
