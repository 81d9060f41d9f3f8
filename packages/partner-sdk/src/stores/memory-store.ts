import type { ConnectionStore, StoredConnection } from "./connection-store.ts";

/** Connections that end with the process. For tests and first steps. */
export class MemoryStore implements ConnectionStore {
  readonly #connections = new Map<string, string>();

  async get(id: string): Promise<StoredConnection | null> {
    const text = this.#connections.get(id);
    return text === undefined ? null : JSON.parse(text);
  }

  async put(connection: StoredConnection): Promise<void> {
    this.#connections.set(connection.id, JSON.stringify(connection));
  }

  async delete(id: string): Promise<void> {
    this.#connections.delete(id);
  }

  async list(): Promise<StoredConnection[]> {
    return [...this.#connections.values()].map((text) => JSON.parse(text));
  }
}
