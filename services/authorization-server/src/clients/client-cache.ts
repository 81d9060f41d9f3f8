import { type Sql, within } from "@partner-connect/database";
import { type Client, findClient } from "@partner-connect/directory";
import { LRUCache } from "lru-cache";

/** Registered clients, at most half a second old: a disable takes effect within a second. */
export interface Clients {
  /** Null if no client has this id. */
  find(clientId: string): Promise<Client | null>;
}

const FRESH_MS = 500;
const MAX_CLIENTS = 10_000;
const DEADLINE_MS = 1500;

export function cachedClients(sql: Sql): Clients {
  // What is cached is the question, so that all who ask meanwhile wait for one answer. Its age counts from when it was asked.
  const cache = new LRUCache<string, Promise<Client | null>>({ max: MAX_CLIENTS, ttl: FRESH_MS, ttlResolution: 0 });
  return {
    async find(clientId) {
      // No id of ours has another form, so the database need not be asked.
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(clientId)) return null;
      const cached = cache.get(clientId);
      if (cached) return await cached;
      const client = within(DEADLINE_MS, findClient(sql, clientId));
      cache.set(clientId, client);
      // A fault is not cached.
      client.catch(() => cache.delete(clientId));
      return await client;
    },
  };
}
