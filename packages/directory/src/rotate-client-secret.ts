import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import type { ISql } from "postgres";
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
 * Gives the client a new secret. The former one works for `overlapSeconds` more; with 0 it ends now, and so does one that is still
 * in the overlap of an earlier rotation. With an overlap such a third one is a refusal: a client never has more than two, and its
 * partner may not have installed the newer one yet. Index: client_secrets_pkey.
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
    if (overlapSeconds > 0) await requireNoOverlap(tx, clientId);
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

async function requireNoOverlap(sql: ISql, clientId: string): Promise<void> {
  const [running] = await sql<{ expires_at: Date }[]>`
    SELECT expires_at FROM directory.client_secrets
    WHERE client_id = ${clientId} AND expires_at > now() ORDER BY expires_at DESC LIMIT 1`;
  if (!running) return;
  const until = running.expires_at.toISOString();
  throw new DirectoryError(
    "ROTATION_UNDER_WAY",
    `the secret of the last rotation still overlaps the former one, until ${until}`,
  );
}
