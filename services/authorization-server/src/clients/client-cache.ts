import type { Sql } from "@partner-connect/database";
import { type Client, findClient, type SecretUses } from "@partner-connect/directory";
import { LRUCache } from "lru-cache";

export type Clients = ReturnType<typeof cachedClients>;

const FRESH_MS = 500;
const MAX_CLIENTS = 10_000;

/** Registered clients, cached for half a second, so that a disable takes effect within a second. */
export function cachedClients(sql: Sql, secretUses: SecretUses) {
  // Promises are cached, so that parallel look-ups share one query. An entry's age counts from the
  // start of its query.
  const cache = new LRUCache<string, Promise<Client | null>>({
    max: MAX_CLIENTS,
    ttl: FRESH_MS,
    ttlResolution: 0,
  });
  const findNow = async (clientId: string): Promise<Client | null> => {
    // All our ids have this form, so skip the query for others.
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(clientId)) return null;
    const client = findClient(sql, clientId);
    cache.set(clientId, client);
    // Don't cache a fault.
    client.catch(() => cache.delete(clientId));
    return await client;
  };
  return {
    secretUses,
    /** Null if no client has this id. */
    find: async (clientId: string): Promise<Client | null> =>
      await (cache.get(clientId) ?? findNow(clientId)),
    /** Like `find`, but always queries Postgres. The result is cached. */
    findNow,
  };
}
