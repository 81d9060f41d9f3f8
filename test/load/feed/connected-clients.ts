import type { Sql } from "@partner-connect/database";

/** A client that reads its feed, and its connected shops. */
export interface FeedClient {
  readonly clientId: string;
  readonly secret: string;
  readonly shopIds: readonly string[];
}

export interface FeedClients {
  /** Stands in all ids. */
  readonly name: string;
  readonly clients: number;
  /** Connections of each client. */
  readonly shops: number;
}

/** Clients with connected shops, by a statement for each table: they have no refresh tokens. */
export async function connectedClients(sql: Sql, { name, clients, shops }: FeedClients): Promise<FeedClient[]> {
  const client = (n: number) => `client_feed_${name}_${n}`;
  const shop = (n: number, of: number) => `shop_feed_${name}_${n}_${of}`;
  const made = Array.from({ length: clients }, (_, n) => ({
    clientId: client(n),
    secret: `secret_feed_${name}_${n}`,
    shopIds: Array.from({ length: shops }, (_, of) => shop(n, of)),
  }));
  const email = `feed-${name}@merchant.example`;
  await sql`
    INSERT INTO directory.merchants (email, name, password_hash) VALUES (${email}, 'Ada', '-')`;
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT 'client_feed_' || ${name} || '_' || n, 'App ' || ${name} || n, '{https://partner.example/callback}', '{responses:read}',
      '{authorization_code,refresh_token}' FROM generate_series(0, ${clients - 1}::int) n`;
  await sql`
    INSERT INTO directory.client_secrets (client_id, secret_hash)
    SELECT 'client_feed_' || ${name} || '_' || n, sha256(convert_to('secret_feed_' || ${name} || '_' || n, 'UTF8'))
    FROM generate_series(0, ${clients - 1}::int) n`;
  await sql`
    INSERT INTO directory.shops (id, name, plan)
    SELECT 'shop_feed_' || ${name} || '_' || n || '_' || m, 'Shop ' || m, 'standard'
    FROM generate_series(0, ${clients - 1}::int) n, generate_series(0, ${shops - 1}::int) m`;
  await sql`
    INSERT INTO survey.stamps (shop_id, stamp, changes)
    SELECT 'shop_feed_' || ${name} || '_' || n || '_' || m, '-infinity', '{}'
    FROM generate_series(0, ${clients - 1}::int) n, generate_series(0, ${shops - 1}::int) m`;
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, exchanged_at)
    SELECT 'shop_feed_' || ${name} || '_' || n || '_' || m, 'client_feed_' || ${name} || '_' || n, 'connected', 'grant',
      '{responses:read}', (SELECT id FROM directory.merchants WHERE email = ${email}), now(), now()
    FROM generate_series(0, ${clients - 1}::int) n, generate_series(0, ${shops - 1}::int) m`;
  return made;
}
