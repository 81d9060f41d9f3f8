import type { DatabaseSync } from "node:sqlite";

export interface CreatedSource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** The sources that this app has created: the API has no list of them. */
export function createdSources(database: DatabaseSync, connectionId: string): CreatedSource[] {
  return database
    .prepare("SELECT id, name, type FROM sources WHERE connection_id = ? ORDER BY id")
    .all(connectionId) as unknown as CreatedSource[];
}

export function keepSource(database: DatabaseSync, connectionId: string, { id, name, type }: CreatedSource): void {
  database
    .prepare("INSERT OR REPLACE INTO sources (connection_id, id, name, type) VALUES (?, ?, ?, ?)")
    .run(connectionId, id, name, type);
}
