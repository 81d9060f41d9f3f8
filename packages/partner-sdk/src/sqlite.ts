import type { DatabaseSync } from "node:sqlite";
import { InvalidRequest } from "./errors.ts";
import type { ConnectionStore, StoredConnection } from "./stores.ts";

const TABLE =
  "CREATE TABLE IF NOT EXISTS partner_connect_connections (id TEXT PRIMARY KEY, connection TEXT NOT NULL) STRICT";

/** `node:sqlite`, loaded on use, so that this file works without it. @throws {InvalidRequest} */
function loadSqlite(): typeof import("node:sqlite") {
  const found = globalThis.process?.getBuiltinModule?.("node:sqlite");
  if (found) return found;
  const here = globalThis.process?.version ?? "no Node";
  throw new InvalidRequest(
    `SqliteStore needs node:sqlite, which Node has from 22.13 on, and this is ${here}: use a newer Node, or a store of your own`,
    null,
  );
}

/**
 * Connections in a SQLite file, by `node:sqlite` (Node 22.13 or later, Bun, Deno), for one or
 * several processes. It contains unencrypted tokens, so restrict access to it.
 */
export class SqliteStore implements ConnectionStore {
  readonly #database: DatabaseSync;

  /** @param path the file, created if missing @throws {InvalidRequest} without `node:sqlite` */
  constructor(path: string) {
    const { DatabaseSync } = loadSqlite();
    this.#database = new DatabaseSync(path);
    // This comes first, so that the other statements wait for locks too.
    this.#database.exec("PRAGMA busy_timeout = 10000");
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec(TABLE);
  }

  async get(id: string): Promise<StoredConnection | null> {
    const row = this.#database
      .prepare("SELECT connection FROM partner_connect_connections WHERE id = ?")
      .get(id);
    return row === undefined ? null : JSON.parse(String(row["connection"]));
  }

  async put(connection: StoredConnection): Promise<void> {
    this.#database
      .prepare("INSERT OR REPLACE INTO partner_connect_connections (id, connection) VALUES (?, ?)")
      .run(connection.id, JSON.stringify(connection));
  }

  async delete(id: string): Promise<void> {
    this.#database.prepare("DELETE FROM partner_connect_connections WHERE id = ?").run(id);
  }

  async list(): Promise<StoredConnection[]> {
    const rows = this.#database
      .prepare("SELECT connection FROM partner_connect_connections ORDER BY id")
      .all();
    return rows.map((row) => JSON.parse(String(row["connection"])));
  }

  close(): void {
    this.#database.close();
  }
}
