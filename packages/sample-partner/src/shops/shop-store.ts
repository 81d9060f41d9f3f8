import type { DatabaseSync } from "node:sqlite";
import type { ConnectionRecord, StoredConnection } from "@partner-connect/partner-sdk";
import { transaction } from "../database.ts";
import type { Shop, Trouble } from "./shop.ts";

/** The shops that are connected. Their tokens are elsewhere: in the SDK's store. */
export class ShopStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  list(): Shop[] {
    return this.#database.prepare(`${SELECT} ORDER BY name, connection_id`).all().map(shopOf);
  }

  find(connectionId: string): Shop | null {
    const row = this.#database.prepare(`${SELECT} WHERE connection_id = ?`).get(connectionId);
    return row ? shopOf(row) : null;
  }

  /** A shop that was connected, or connected again: the copy that we have of it goes on from where it was. */
  remember({ id, shop, scope, connectedAt }: Omit<StoredConnection, "refreshToken">): void {
    this.#database
      .prepare(
        `INSERT INTO shops (connection_id, name, domain, plan, scope, connected_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (connection_id) DO UPDATE SET name = excluded.name, domain = excluded.domain, plan = excluded.plan,
           scope = excluded.scope, connected_at = excluded.connected_at, trouble = NULL`,
      )
      .run(id, shop.name, shop.domain, shop.plan, scope, connectedAt);
  }

  /** What changes while a shop is connected: its name, its plan, and with it what we may do. */
  update(connectionId: string, { shop, scope }: ConnectionRecord): void {
    this.#database
      .prepare("UPDATE shops SET name = ?, domain = ?, plan = ?, scope = ? WHERE connection_id = ?")
      .run(shop.name, shop.domain, shop.plan, scope, connectionId);
  }

  setTrouble(connectionId: string, trouble: Trouble | null): void {
    this.#database
      .prepare("UPDATE shops SET trouble = ? WHERE connection_id = ?")
      .run(trouble && JSON.stringify(trouble), connectionId);
  }

  /** All that we know of the shop. */
  forget(connectionId: string): void {
    transaction(this.#database, () => {
      for (const table of ["responses", "sources", "shops"]) {
        this.#database.prepare(`DELETE FROM ${table} WHERE connection_id = ?`).run(connectionId);
      }
    });
  }

  /** After a crash between two steps: these are the shops whose tokens we have. */
  async reconcile(connections: AsyncIterable<StoredConnection>): Promise<void> {
    const known = new Map(this.list().map((shop) => [shop.connectionId, shop]));
    for await (const connection of connections) {
      if (!known.delete(connection.id)) this.remember(connection);
    }
    for (const connectionId of known.keys()) this.forget(connectionId);
  }
}

const SELECT = `
  SELECT connection_id AS connectionId, name, domain, plan, scope, connected_at AS connectedAt, synced_at AS syncedAt, deletions, trouble,
    (SELECT count(*) FROM responses WHERE responses.connection_id = shops.connection_id) AS responses
  FROM shops`;

function shopOf(row: Readonly<Record<string, unknown>>): Shop {
  const { scope, trouble } = row;
  return {
    ...(row as unknown as Shop),
    scope: String(scope).split(" ").filter(Boolean),
    trouble: trouble === null ? null : JSON.parse(String(trouble)),
  };
}
