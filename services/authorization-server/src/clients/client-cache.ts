import { type Sql, within } from "@partner-connect/database";
import { type Client, findClient } from "@partner-connect/directory";

/** Registered clients as they are now, or were half a second ago at most: a disable is seen within a second. */
export interface Clients {
  /** Null if there is none of this id. */
  find(clientId: string): Promise<Client | null>;
}

const FRESH_MS = 500;
const MOST_CLIENTS = 10_000;
const DEADLINE_MS = 1500;

export function cachedClients(sql: Sql): Clients {
  const cache = new Map<string, { readonly until: number; readonly client: Promise<Client | null> }>();
  return {
    async find(clientId) {
      // Ids are made of these; what else a request may name needs no question to the database.
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(clientId)) return null;
      const now = Date.now();
      const known = cache.get(clientId);
      if (known && known.until > now) return await known.client;
      if (cache.size >= MOST_CLIENTS) cache.clear();
      const client = within(DEADLINE_MS, findClient(sql, clientId));
      cache.set(clientId, { until: now + FRESH_MS, client });
      // A fault is not an answer to remember.
      client.catch(() => cache.delete(clientId));
      return await client;
    },
  };
}
