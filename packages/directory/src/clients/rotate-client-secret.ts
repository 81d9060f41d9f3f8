import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, transaction } from "@partner-connect/database";
import { hashCredential, newCredential } from "../credentials.ts";
import { DirectoryError } from "../directory-error.ts";
import { mailClientMembers } from "./client-members.ts";
import { type ClientSummary, lockClient } from "./clients.ts";

/** Maximum seconds for which a former secret still works: enough to deploy the new one. */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

export interface Rotation {
  readonly client: ClientSummary;
  /** The new secret. Only its hash is stored, so show it now. */
  readonly secret: string;
  /** When the former secret stops working; null if it already has. */
  readonly formerSecretExpiresAt: Date | null;
}

/**
 * Gives the client a new secret. The former one works for `overlapSeconds` more; with 0, all former
 * ones end now. While the former secret of an earlier rotation still works, another overlap is
 * refused: a client has at most two secrets, and the partner may not have installed the newer one
 * yet. With "as before", only the newest secret is replaced, for a partner who has lost it, and the
 * former one still ends when it would have ended. Index: client_secrets_pkey.
 * @throws {DirectoryError} INVALID_OVERLAP, UNKNOWN_CLIENT, ROTATION_UNDER_WAY, NO_ROTATION
 */
export async function rotateClientSecret(
  sql: Queries,
  clientId: string,
  overlapSeconds: number | "as before",
  actor: Actor,
): Promise<Rotation> {
  const again = overlapSeconds === "as before";
  if (
    !again &&
    (!Number.isInteger(overlapSeconds) ||
      overlapSeconds < 0 ||
      overlapSeconds > MAX_OVERLAP_SECONDS)
  ) {
    throw new DirectoryError("INVALID_OVERLAP", "the overlap must be 0 seconds to 30 days");
  }
  const secret = newCredential("pcs");
  return await transaction(sql, async (tx) => {
    const client = await lockClient(tx, clientId);
    const former = await endSecrets(tx, clientId, overlapSeconds);
    await tx`
      INSERT INTO directory.client_secrets (client_id, secret_hash, last_four) VALUES (${clientId}, ${hashCredential(secret)}, ${secret.slice(-4)})`;
    const detail = { former_secret_expires_at: former, ...(again && { again }) };
    await recordAudit(tx, { action: "client_rotate_secret", clientId, detail }, actor);
    await mailClientMembers(tx, "client_secret_made", clientId, actor);
    return { client, secret, formerSecretExpiresAt: former };
  });
}

/**
 * Ends the former secret of a rotation before the end of the overlap. Index: client_secrets_pkey.
 * @throws {DirectoryError} UNKNOWN_CLIENT, NO_ROTATION
 */
export async function endFormerSecret(sql: Queries, clientId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    await lockClient(tx, clientId);
    const { count } = await tx`
      DELETE FROM directory.client_secrets WHERE client_id = ${clientId} AND expires_at > now()`;
    if (count === 0) throw new DirectoryError("NO_ROTATION", `${NO_ROTATION} former secret to end`);
    await recordAudit(tx, { action: "client_end_secret", clientId }, actor);
    await mailClientMembers(tx, "client_secret_ended", clientId, actor);
  });
}

const NO_ROTATION = "no rotation is in progress, so there is no";

/**
 * Ends the newest secret now ("as before"), or all secrets after the overlap. Returns when the
 * former secret ends; null if now. @throws {DirectoryError} ROTATION_UNDER_WAY, NO_ROTATION
 */
async function endSecrets(
  sql: Queries,
  clientId: string,
  overlapSeconds: number | "as before",
): Promise<Date | null> {
  const [running] = await sql<{ expires_at: Date }[]>`
    SELECT expires_at FROM directory.client_secrets
    WHERE client_id = ${clientId} AND expires_at > now() ORDER BY expires_at DESC LIMIT 1`;
  if (overlapSeconds === "as before") {
    if (!running) throw new DirectoryError("NO_ROTATION", `${NO_ROTATION} newer secret to replace`);
    await sql`DELETE FROM directory.client_secrets WHERE client_id = ${clientId} AND expires_at IS NULL`;
    return running.expires_at;
  }
  if (overlapSeconds > 0 && running) {
    const until = running.expires_at.toISOString();
    const problem = `a rotation is in progress: the former secret still works until ${until}`;
    throw new DirectoryError("ROTATION_UNDER_WAY", problem);
  }
  await sql`
    DELETE FROM directory.client_secrets
    WHERE client_id = ${clientId} AND (expires_at IS NOT NULL OR ${overlapSeconds === 0})`;
  const [former] = await sql<{ expires_at: Date }[]>`
    UPDATE directory.client_secrets SET expires_at = now() + make_interval(secs => ${overlapSeconds})
    WHERE client_id = ${clientId} RETURNING expires_at`;
  return former?.expires_at ?? null;
}
