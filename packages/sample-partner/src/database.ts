import { DatabaseSync } from "node:sqlite";

/** One file for everything but the tokens, which the SDK's own store keeps. */
const TABLES = `
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;

  -- One row for each connected shop. sync_state is the SDK's, as it gave it: it changes together with the responses.
  CREATE TABLE IF NOT EXISTS shops (
    connection_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    domain TEXT,
    plan TEXT NOT NULL,
    scope TEXT NOT NULL,
    connected_at TEXT NOT NULL,
    sync_state TEXT,
    synced_at TEXT,
    deletions INTEGER NOT NULL DEFAULT 0,
    trouble TEXT
  ) STRICT;

  -- The copy. record is the response as the API gave it; the columns beside it are what we search and sort by.
  CREATE TABLE IF NOT EXISTS responses (
    connection_id TEXT NOT NULL,
    id TEXT NOT NULL,
    inserted_at TEXT NOT NULL,
    question_id INTEGER,
    response TEXT,
    record TEXT NOT NULL,
    PRIMARY KEY (connection_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS responses_by_time ON responses (connection_id, inserted_at, id);
  CREATE INDEX IF NOT EXISTS responses_by_question ON responses (connection_id, question_id, inserted_at, response);

  -- One row: how far we have followed the feed of all shops. It is the SDK's, as it gave it.
  CREATE TABLE IF NOT EXISTS follow (only INTEGER PRIMARY KEY CHECK (only = 1), state TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS sources (
    connection_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    PRIMARY KEY (connection_id, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS sessions (
    id_hash TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(TABLES);
  return database;
}

export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
