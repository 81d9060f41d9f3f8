import type { Sql } from "@partner-connect/database";
import { readSigningKeys } from "@partner-connect/signing-keys";
import { SignJWT } from "jose";

const CLIENTS = 20;
const TOKEN_SECONDS = 900;
/** A client gets a new token this long before the old one ends. */
const EARLY_SECONDS = 30;

export interface MixCaller {
  readonly connectionId: string;
  readonly shopId: string;
  readonly clientId: string;
}

/** Connects every shop of the data set with 20 clients, once. */
export async function connectCallers(sql: Sql): Promise<readonly MixCaller[]> {
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT 'client_bench_' || n, 'App ' || n, '{https://partner.example/callback}', '{responses:read}', '{authorization_code,refresh_token}'
    FROM generate_series(1, ${CLIENTS}::int) n ON CONFLICT DO NOTHING`;
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, id, status, grant_id, scope, merchant_id, connected_at)
    SELECT s.id, c.client_id, 'con_' || s.id || c.client_id, 'connected', 'grant', '{responses:read}', m.id, now()
    FROM directory.shops s, directory.clients c, (SELECT id FROM directory.merchants LIMIT 1) m
    WHERE c.client_id LIKE 'client\\_bench\\_%' ON CONFLICT DO NOTHING`;
  await sql`ANALYZE oauth.connections`;
  return await sql<MixCaller[]>`
    SELECT id AS "connectionId", shop_id AS "shopId", client_id AS "clientId"
    FROM oauth.connections WHERE client_id LIKE 'client\\_bench\\_%' ORDER BY md5(id)`;
}

/**
 * The access tokens of the moment, one for each caller. They were issued at different times, evenly over a token's life: with
 * 1,000 callers one of them has a new token each 0.9 s.
 */
export async function tokensOf(
  callers: readonly MixCaller[],
  { baseUrl, keysFile }: { readonly baseUrl: string; readonly keysFile: string },
): Promise<readonly string[]> {
  const { kid, alg, privateKey } = (await readSigningKeys(keysFile)).active;
  const now = Math.floor(Date.now() / 1000);
  const used = TOKEN_SECONDS - EARLY_SECONDS;
  return await Promise.all(
    callers.map(({ connectionId, shopId, clientId }, index) => {
      const iat = now - ((now + Math.floor((index * used) / callers.length)) % used);
      const own = { connection_id: connectionId, grant_id: "grant", generation: 1 };
      return new SignJWT({ client_id: clientId, scope: "responses:read", ...own })
        .setProtectedHeader({ alg, kid, typ: "at+jwt" })
        .setIssuer(baseUrl)
        .setAudience(`${baseUrl}/api`)
        .setSubject(shopId)
        .setJti(`${connectionId}-${iat}`)
        .setIssuedAt(iat)
        .setExpirationTime(iat + TOKEN_SECONDS)
        .sign(privateKey);
    }),
  );
}
