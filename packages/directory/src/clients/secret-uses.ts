import type { Sql } from "@partner-connect/database";
import type { ClientSecret } from "./client.ts";

/** A secret that was used, and the beginning of the hour, in milliseconds since the epoch. */
interface SecretUse {
  readonly clientId: string;
  /** Of the secret, as hex. */
  readonly hash: string;
  readonly hour: number;
}

const HOUR_MS = 3_600_000;

/** Some 3 MB. It is reached only while Postgres is away for long. */
const MAX_NOTED = 20_000;

/** Notes which secrets are used, in this process alone: each once an hour. It waits for nothing, and no call fails for it. */
export class SecretUses {
  readonly #noted = new Map<string, SecretUse>();

  note(clientId: string, { hash, lastUsedAt }: ClientSecret, now: Date): void {
    const hour = now.getTime() - (now.getTime() % HOUR_MS);
    if (lastUsedAt !== null && lastUsedAt.getTime() >= hour) return;
    const text = hash.toString("hex");
    if (this.#noted.size < MAX_NOTED) this.#noted.set(text, { clientId, hash: text, hour });
  }

  take(): SecretUse[] {
    const all = [...this.#noted.values()];
    this.#noted.clear();
    return all;
  }

  /** What could not be stored is noted again. */
  giveBack(uses: readonly SecretUse[]): void {
    for (const use of uses) if (!this.#noted.has(use.hash)) this.#noted.set(use.hash, use);
  }
}

/**
 * Stores when secrets were last used: one statement for each hour, which is one but at an hour's end. Another replica may have stored a
 * later hour. Index: client_secrets_pkey.
 */
export async function addSecretUses(sql: Sql, uses: readonly SecretUse[]): Promise<void> {
  for (const [hour, used] of Map.groupBy(uses, (use) => use.hour)) {
    const [clients, hashes] = [used.map(({ clientId }) => clientId), used.map(({ hash }) => hash)];
    await sql`
      UPDATE directory.client_secrets SET last_used_at = ${new Date(hour)}
      WHERE client_id = ANY (${clients}::text[]) AND encode(secret_hash, 'hex') = ANY (${hashes}::text[])
        AND (last_used_at IS NULL OR last_used_at < ${new Date(hour)})`;
  }
}
