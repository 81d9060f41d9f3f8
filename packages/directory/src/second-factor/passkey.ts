import type { Queries } from "@partner-connect/database";

/** What an authenticator made for a merchant, as its signatures are checked. */
export interface NewPasskey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly name: string;
  /** COSE. */
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Passkey extends NewPasskey {
  readonly createdAt: Date;
  /** Null: not since it was added. */
  readonly lastUsedAt: Date | null;
}

/** The merchant's passkeys, oldest first. Index: passkeys_by_merchant. */
export async function passkeysOf(sql: Queries, merchantId: string): Promise<Passkey[]> {
  return await sql<Passkey[]>`
    SELECT id, name, public_key AS "publicKey", counter::float8 AS counter, transports, created_at AS "createdAt",
      last_used_at AS "lastUsedAt"
    FROM directory.passkeys WHERE merchant_id = ${merchantId} ORDER BY created_at, id`;
}

/** Whether a second factor is asked of the merchant: a passkey is there. Index: passkeys_by_merchant. */
export async function hasPasskey(sql: Queries, merchantId: string): Promise<boolean> {
  const found = await sql`SELECT FROM directory.passkeys WHERE merchant_id = ${merchantId} LIMIT 1`;
  return found.length > 0;
}

/**
 * Notes that a signature of the passkey was right. False if the passkey is gone, or its counter has gone on meanwhile: two authenticators
 * have the same key. Index: passkeys_pkey.
 */
export async function usePasskey(
  sql: Queries,
  merchantId: string,
  { id, counter }: Pick<NewPasskey, "id" | "counter">,
): Promise<boolean> {
  const { count } = await sql`
    UPDATE directory.passkeys SET counter = ${counter}, last_used_at = now()
    WHERE id = ${id} AND merchant_id = ${merchantId} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))`;
  return count === 1;
}
