import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import type { FollowOptions, FollowState, SyncState } from "@partner-connect/partner-sdk";

type Callbacks = Required<
  Pick<FollowOptions, "readState" | "keepState" | "readCopyState" | "apply" | "connectionChanged">
>;

const TABLES = `
  CREATE TABLE IF NOT EXISTS follow (only INTEGER PRIMARY KEY CHECK (only = 1), state TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS connections (id TEXT PRIMARY KEY, shop_id TEXT NOT NULL, status TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS states (connection_id TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS responses (shop_id TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (shop_id, id)) STRICT`;

/** The copies of all shops, in a SQLite file. Of a shop that has disconnected, all is deleted. */
export function openMirror(folder: string): DatabaseSync {
  const file = new DatabaseSync(join(folder, "copy.db"));
  file.exec("PRAGMA busy_timeout = 10000");
  file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  file.exec(TABLES);
  return file;
}

/** What `follow` is given to keep the copies. */
export function mirrorCallbacks(file: DatabaseSync): Callbacks {
  const put = file.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)");
  const remove = file.prepare("DELETE FROM responses WHERE shop_id = ? AND id = ?");
  const empty = file.prepare("DELETE FROM responses WHERE shop_id = ?");
  const read = file.prepare("SELECT state FROM follow");
  const keep = file.prepare("INSERT OR REPLACE INTO follow VALUES (1, ?)");
  const readCopy = file.prepare("SELECT state FROM states WHERE connection_id = ?");
  const keepCopy = file.prepare("INSERT OR REPLACE INTO states VALUES (?, ?)");
  const forgetCopy = file.prepare("DELETE FROM states WHERE connection_id = ?");
  const tell = file.prepare("INSERT OR REPLACE INTO connections VALUES (?, ?, ?)");

  const parsed = (row: Record<string, unknown> | undefined) => (row ? JSON.parse(String(row["state"])) : null);
  const readState = (): FollowState | null => parsed(read.get());
  const readCopyState = (id: string): SyncState | null => parsed(readCopy.get(id));
  const together = (work: () => boolean): boolean => {
    file.exec("BEGIN IMMEDIATE");
    try {
      const done = work();
      file.exec("COMMIT");
      return done;
    } catch (error) {
      file.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    readState,
    readCopyState,
    keepState: (state, previous) =>
      together(() => {
        if (!isDeepStrictEqual(readState(), previous)) return false;
        keep.run(JSON.stringify(state));
        return true;
      }),
    apply: ({ reset, responses, deletedIds, state }, { connectionId, shopId, previous }) =>
      together(() => {
        if (!isDeepStrictEqual(readCopyState(connectionId), previous)) return false;
        if (reset) empty.run(shopId);
        for (const response of responses) put.run(shopId, response.id, JSON.stringify(response));
        for (const id of deletedIds) remove.run(shopId, id);
        keepCopy.run(connectionId, JSON.stringify(state));
        return true;
      }),
    connectionChanged: ({ connectionId, shopId, status }) =>
      void together(() => {
        tell.run(connectionId, shopId, status);
        if (status === "revoked") {
          empty.run(shopId);
          forgetCopy.run(connectionId);
        }
        return true;
      }),
  };
}
