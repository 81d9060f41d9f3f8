import { DatabaseSync } from "node:sqlite";

/** What a partner keeps beside its connections. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS states (key TEXT PRIMARY KEY, state TEXT);
  CREATE TABLE IF NOT EXISTS statuses (connection TEXT PRIMARY KEY, status TEXT);
  CREATE TABLE IF NOT EXISTS records (connection TEXT, kind TEXT, id TEXT, record TEXT, PRIMARY KEY (connection, kind, id))`;

export function openCopy(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA busy_timeout = 60000; ${TABLES}`);
  return db;
}

/** A partner's copy: each connection's status, and its records by `CONNECTION KIND ID`. */
export function readCopy(file: string) {
  const db = openCopy(file);
  const statuses = db.prepare("SELECT connection, status FROM statuses").all();
  const rows = db
    .prepare("SELECT connection || ' ' || kind || ' ' || id AS key, record FROM records")
    .all();
  db.close();
  return {
    statuses: new Map(
      statuses.map(({ connection, status }) => [String(connection), String(status)]),
    ),
    records: new Map(rows.map(({ key, record }) => [String(key), JSON.parse(String(record))])),
  };
}
