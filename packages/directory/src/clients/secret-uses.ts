import type { Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import { MemoryCounts } from "@partner-connect/service-runtime/memory-counts";
import type { StoredClientSecret } from "./clients.ts";

/** A secret, and the hour in which it was used (its start, in milliseconds since the epoch). */
interface SecretUse {
  readonly clientId: string;
  /** The secret's hash in hex. */
  readonly hash: string;
  hour: number;
}

const HOUR_MS = 3_600_000;

/** Collects the uses of secrets, at most one per secret and hour, and stores them later. */
export class SecretUses extends MemoryCounts<SecretUse> {
  constructor(sql: Sql, logger: Logger) {
    super({
      name: "uses of client secrets",
      logger,
      store: (uses) => storeSecretUses(sql, uses),
      merge(use, { hour }) {
        use.hour = Math.max(use.hour, hour);
      },
    });
  }

  recordUse(clientId: string, { hash, lastUsedAt }: StoredClientSecret, now: Date): void {
    const hour = now.getTime() - (now.getTime() % HOUR_MS);
    if (lastUsedAt !== null && lastUsedAt.getTime() >= hour) return;
    const text = hash.toString("hex");
    this.count(text, { clientId, hash: text, hour });
  }
}

/**
 * Stores when secrets were last used, with one statement per hour, unless a later hour is stored. A
 * time before the secret's creation becomes the time of its creation. Index: client_secrets_pkey.
 */
export async function storeSecretUses(sql: Sql, uses: readonly SecretUse[]): Promise<void> {
  for (const [hour, used] of Map.groupBy(uses, (use) => use.hour)) {
    const [clients, hashes] = [used.map(({ clientId }) => clientId), used.map(({ hash }) => hash)];
    await sql`
      UPDATE directory.client_secrets SET last_used_at = greatest(created_at, ${new Date(hour)})
      WHERE client_id = ANY (${clients}::text[]) AND encode(secret_hash, 'hex') = ANY (${hashes}::text[])
        AND (last_used_at IS NULL OR last_used_at < ${new Date(hour)})`;
  }
}
