import { StoreFailed, UnknownConnection } from "../errors/index.ts";
import type { ConnectionStore, StoredConnection } from "./connection-store.ts";

/** The partner's store, whose failures are errors of ours. */
export class StoredConnections {
  readonly #store: ConnectionStore;

  constructor(store: ConnectionStore) {
    this.#store = store;
  }

  /** @throws {UnknownConnection | StoreFailed} */
  async get(id: string): Promise<StoredConnection> {
    const stored = await guarded("read the connection", () => this.#store.get(id));
    if (stored === null || stored === undefined) throw new UnknownConnection(id);
    return stored;
  }

  /** @throws {StoreFailed} */
  async put(connection: StoredConnection): Promise<void> {
    await guarded("keep the connection", () => this.#store.put(connection));
  }

  /** @throws {StoreFailed} */
  async delete(id: string): Promise<void> {
    await guarded("delete the connection", () => this.#store.delete(id));
  }

  /** @throws {StoreFailed} */
  async *list(): AsyncGenerator<StoredConnection, void, undefined> {
    const all = await guarded("list connections", async () => {
      const listed = await this.#store.list();
      return Array.isArray(listed) ? listed[Symbol.iterator]() : listed[Symbol.asyncIterator]();
    });
    for (;;) {
      const { done, value } = await guarded("list connections", () => all.next());
      if (done) return;
      yield value;
    }
  }
}

async function guarded<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreFailed(`the store could not ${what}`, { cause });
  }
}
