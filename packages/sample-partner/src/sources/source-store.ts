import type { DatabaseSync } from "node:sqlite";

export interface CreatedSource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** The sources that this app has created: the API has no list of them. */
export class SourceStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  list(connectionId: string): CreatedSource[] {
    return this.#database
      .prepare("SELECT id, name, type FROM sources WHERE connection_id = ? ORDER BY id")
      .all(connectionId)
      .map((row) => ({ id: String(row["id"]), name: String(row["name"]), type: String(row["type"]) }));
  }

  add(connectionId: string, { id, name, type }: CreatedSource): void {
    this.#database
      .prepare("INSERT OR REPLACE INTO sources (connection_id, id, name, type) VALUES (?, ?, ?, ?)")
      .run(connectionId, id, name, type);
  }
}
