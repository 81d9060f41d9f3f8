import { DatabaseSync } from "node:sqlite";
import type { ConnectionStore, StoredConnection } from "./connection-store.ts";

const TABLE = `CREATE TABLE IF NOT EXISTS partner_connect_connections (id TEXT PRIMARY KEY, connection TEXT NOT NULL) STRICT`;

/**
 * Connections in a SQLite file, by Node's own `node:sqlite` (Node 22.13 or later). Several processes may share the file. It
 * holds refresh tokens in clear: let nobody else read it.
 */
export class SqliteStore implements ConnectionStore {
  readonly #database: DatabaseSync;

  /** @param path of the file; made where it is missing */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec(TABLE);
  }

  async get(id: string): Promise<StoredConnection | null> {
    const row = this.#database.prepare("SELECT connection FROM partner_connect_connections WHERE id = ?").get(id);
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
    const rows = this.#database.prepare("SELECT connection FROM partner_connect_connections ORDER BY id").all();
    return rows.map((row) => JSON.parse(String(row["connection"])));
  }

  close(): void {
    this.#database.close();
  }
}
