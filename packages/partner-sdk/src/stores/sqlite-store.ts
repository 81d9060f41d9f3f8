import { DatabaseSync } from "node:sqlite";
import type { ConnectionStore, StoredAccessToken, StoredConnection } from "./connection-store.ts";

const TABLES = `
  CREATE TABLE IF NOT EXISTS partner_connect_connections (id TEXT PRIMARY KEY, connection TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS partner_connect_access_tokens (id TEXT PRIMARY KEY, token TEXT NOT NULL) STRICT`;

/**
 * Connections in a SQLite file, by Node's own `node:sqlite` (Node 22.13 or later), for one or several processes. It holds tokens in clear:
 * let nobody else read it.
 */
export class SqliteStore implements ConnectionStore {
  readonly #database: DatabaseSync;

  /** @param path of the file; made where it is missing */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    // The first, so that the others wait for another process too.
    this.#database.exec("PRAGMA busy_timeout = 10000");
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec(TABLES);
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
    this.#database.prepare("DELETE FROM partner_connect_access_tokens WHERE id = ?").run(id);
    this.#database.prepare("DELETE FROM partner_connect_connections WHERE id = ?").run(id);
  }

  async list(): Promise<StoredConnection[]> {
    const rows = this.#database.prepare("SELECT connection FROM partner_connect_connections ORDER BY id").all();
    return rows.map((row) => JSON.parse(String(row["connection"])));
  }

  async getAccessToken(connectionId: string): Promise<StoredAccessToken | null> {
    const row = this.#database
      .prepare("SELECT token FROM partner_connect_access_tokens WHERE id = ?")
      .get(connectionId);
    return row === undefined ? null : JSON.parse(String(row["token"]));
  }

  async putAccessToken(token: StoredAccessToken): Promise<void> {
    this.#database
      .prepare("INSERT OR REPLACE INTO partner_connect_access_tokens (id, token) VALUES (?, ?)")
      .run(token.connectionId, JSON.stringify(token));
  }

  close(): void {
    this.#database.close();
  }
}
