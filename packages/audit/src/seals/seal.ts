import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Queries } from "@partner-connect/database";
import type { Log } from "../read-log.ts";

/** Neither is in the database. */
export interface AuditKeys {
  /** The first seals; all of them are tried when a seal is checked. */
  readonly seal: readonly [string, ...string[]];
  /** Of the pseudonyms. It stays the same as long as records are kept. */
  readonly names: string;
}

/** What one log was from the former seal's time until this one's. */
export interface Seal {
  readonly log: Log;
  readonly number: number;
  readonly until: Date;
  /** Of its records, by time and id. */
  readonly digests: Buffer;
  readonly seal: Buffer;
}

/** The digests under the key, with the seal before: who changes one seal has to make all later ones anew. */
export function sealed(
  key: string,
  { log, number, until, digests }: Omit<Seal, "seal">,
  former: Buffer | null,
): Buffer {
  const of = [log, number, until.toISOString(), createHash("sha256").update(digests).digest("hex")];
  return createHmac("sha256", key)
    .update(JSON.stringify([...of, former?.toString("hex") ?? null]))
    .digest();
}

export function isSealedBy({ seal: keys }: AuditKeys, seal: Seal, former: Buffer | null): boolean {
  return keys.some((key) => {
    const expected = sealed(key, seal, former);
    return expected.length === seal.seal.length && timingSafeEqual(expected, seal.seal);
  });
}

/** As people and scripts name it: a copy of it, kept elsewhere, shows later whether seals were taken away. */
export function sealName({ log, number, seal }: Pick<Seal, "log" | "number" | "seal">): string {
  return `${log}:${number}:${seal.toString("base64url")}`;
}

/** The seals of a log after that number, the earliest first, some at a time. */
export async function sealsAfter(sql: Queries, log: Log, number: number): Promise<Seal[]> {
  return await sql<Seal[]>`
    SELECT log, number, until, digests, seal FROM directory.audit_seals
    WHERE log = ${log} AND number > ${number} ORDER BY number LIMIT 50`;
}

export async function lastSeals(sql: Queries, log: Log): Promise<Seal[]> {
  return await sql<Seal[]>`
    SELECT log, number, until, digests, seal FROM directory.audit_seals
    WHERE log = ${log} ORDER BY number DESC LIMIT 2`;
}
