import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import type { ClientSummary } from "./client-row.ts";
import { newClientSecret } from "./client-secret.ts";
import { lockClient } from "./clients.ts";
import { DirectoryError } from "./directory-error.ts";

/** Time enough for a partner to deploy the new secret. With a longer overlap the former one would in effect never end. */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

export interface Rotation {
  readonly client: ClientSummary;
  /** Returned here and never again: only the hash is stored. */
  readonly secret: string;
  /** When the former secret stops working; null if it has ended now. */
  readonly formerSecretExpiresAt: Date | null;
}

/**
 * Gives the client a new secret. The former one works for `overlapSeconds` more; with 0 it ends now. A client never has more
 * than these two: a third one, still in the overlap of an earlier rotation, ends now. Index: client_secrets_pkey.
 */
export async function rotateClientSecret(
  sql: Sql,
  clientId: string,
  overlapSeconds: number,
  actor: Actor,
): Promise<Rotation> {
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
    throw new DirectoryError("INVALID_OVERLAP", "the overlap must be 0 seconds to 30 days");
  }
  const { secret, hash } = newClientSecret();
  return await transaction(sql, async (tx) => {
    const client = await lockClient(tx, clientId);
    await tx`
      DELETE FROM directory.client_secrets
      WHERE client_id = ${clientId} AND (expires_at IS NOT NULL OR ${overlapSeconds === 0})`;
    const [former] = await tx<{ expires_at: Date }[]>`
      UPDATE directory.client_secrets SET expires_at = now() + make_interval(secs => ${overlapSeconds})
      WHERE client_id = ${clientId} RETURNING expires_at`;
    await tx`
      INSERT INTO directory.client_secrets (client_id, secret_hash) VALUES (${clientId}, ${hash})`;
    const formerSecretExpiresAt = former?.expires_at ?? null;
    const detail = { former_secret_expires_at: formerSecretExpiresAt };
    await recordAudit(tx, { action: "client_rotate_secret", clientId, detail }, actor);
    return { client, secret, formerSecretExpiresAt };
  });
}
