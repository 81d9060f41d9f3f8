import type { Queries, Sql } from "@partner-connect/database";
import { AuditError } from "../audit-error.ts";
import { LOGS, type Log, readLog } from "../read-log.ts";
import { DIGEST_BYTES, recordDigest } from "./record-digest.ts";
import { type AuditKeys, isSealedBy, lastSeals, type Seal, sealed, sealName } from "./seal.ts";
import { type AskNodes, settledTime } from "./settled-time.ts";

export interface SealedLog {
  readonly log: Log;
  /** Made by this call. */
  readonly seals: number;
  readonly records: number;
  readonly until: Date;
  /** The name of the newest seal. */
  readonly last: string;
}

/**
 * Seals, in both logs, what is not sealed yet and can't change any more. Safe to repeat, and to interrupt: each seal commits by itself.
 * @throws {AuditError} if a transaction is open for long, or the newest seal is not by these keys
 */
export async function sealLogs(sql: Sql, keys: AuditKeys, askNodes: AskNodes): Promise<SealedLog[]> {
  const until = await settledTime(sql, askNodes);
  const done: SealedLog[] = [];
  for (const log of LOGS) done.push(await sealLog(sql, log, until, keys));
  return done;
}

async function sealLog(sql: Sql, log: Log, until: Date, keys: AuditKeys): Promise<SealedLog> {
  const [newest = null, former = null] = await lastSeals(sql, log);
  if (newest && !isSealedBy(keys, newest, former?.seal ?? null)) throw wrongKey(newest);
  let last: Seal | null = newest;
  let [seals, records] = [0, 0];
  while (last === null || last.until < until) {
    const end = await nextEnd(sql, log, last, until);
    last = await sealUntil(sql, log, end, last, keys);
    seals++;
    records += last.digests.length / DIGEST_BYTES;
  }
  return { log, seals, records, until: last.until, last: sealName(last) };
}

const DAY = 86_400_000;

/** A seal has the records of one day at most, in UTC: what it lists fits in memory, and a month that goes takes whole seals along. */
async function nextEnd(sql: Queries, log: Log, last: Seal | null, until: Date): Promise<Date> {
  const [row] = await sql<{ first: Date | null }[]>`
    SELECT min(at) AS first FROM ${sql(`${log}.audit_log`)} WHERE ${last ? sql`at >= ${last.until}` : sql`isfinite(at)`}`;
  const day = Math.floor((row?.first ?? until).getTime() / DAY);
  return new Date(Math.min(until.getTime(), (day + 1) * DAY));
}

async function sealUntil(sql: Queries, log: Log, until: Date, last: Seal | null, keys: AuditKeys): Promise<Seal> {
  const digests: Buffer[] = [];
  for await (const record of readLog(sql, log, { from: last?.until ?? null, until })) {
    digests.push(recordDigest(keys.names, record));
  }
  const made = { log, number: (last?.number ?? 0) + 1, until, digests: Buffer.concat(digests) };
  const seal = sealed(keys.seal[0], made, last?.seal ?? null);
  const stored = await sql`
    INSERT INTO directory.audit_seals (log, number, until, digests, seal)
    VALUES (${log}, ${made.number}, ${until}, ${made.digests}, ${seal}) ON CONFLICT DO NOTHING`;
  if (stored.count === 0) {
    throw new AuditError(
      "another command seals the audit log at this moment",
      "SEALED_MEANWHILE",
      "it does the same work",
    );
  }
  return { ...made, seal };
}

function wrongKey({ log, number }: Seal): AuditError {
  return new AuditError(
    `the newest seal of the log ${log} (${number}) was changed, or is by another key; nothing was sealed after it`,
    "WRONG_KEY",
    "a former key stands after the new one in AUDIT_SEAL_KEY; 'partner-connect audit verify' says what was changed",
  );
}
