import type { Connection } from "./api-types.ts";
import { StoreFailed, UnknownConnection } from "./errors.ts";

/**
 * A stored connection. Plain JSON. `refreshToken` gives access to the shop's data: treat it as a
 * password.
 */
export interface StoredConnection {
  readonly id: string;
  /** At the time of connection: `shop.connection()` has the current name and plan. */
  readonly shop: Pick<Connection["shop"], "id" | "name" | "domain" | "plan">;
  /** Space-delimited. It may be less than you requested. */
  readonly scope: string;
  readonly refreshToken: string;
  /** RFC 3339. */
  readonly connectedAt: string;
}

/**
 * Stores connections: a table with the connection's id as its key. A shop that connects again keeps
 * its connection's id.
 */
export interface ConnectionStore {
  get(id: string): Promise<StoredConnection | null>;
  /** Stores the whole connection, or throws and leaves the previous row. */
  put(connection: StoredConnection): Promise<void>;
  delete(id: string): Promise<void>;
  list(): AsyncIterable<StoredConnection> | Promise<StoredConnection[]>;
}

/** Connections in memory, for tests and first steps. */
export class MemoryStore implements ConnectionStore {
  readonly #connections = new Map<string, string>();

  async get(id: string): Promise<StoredConnection | null> {
    return JSON.parse(this.#connections.get(id) ?? "null");
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

/** @throws {StoreFailed} if the store throws */
export async function callStore<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreFailed(`the store could not ${what}`, { cause });
  }
}

/** @throws {UnknownConnection | StoreFailed} */
export async function readConnection(
  store: ConnectionStore,
  id: string,
): Promise<StoredConnection> {
  const stored = await callStore("read the connection", () => store.get(id));
  if (!stored) throw new UnknownConnection(id);
  return stored;
}
