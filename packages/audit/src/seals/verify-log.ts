import type { Queries } from "@partner-connect/database";
import { monthOf } from "../month-tables.ts";
import { countLog, LOGS, type Log, type Range, readLog } from "../read-log.ts";
import { type ChangedRecord, compareRange, type PresentRecord } from "./compare-range.ts";
import { DIGEST_BYTES, recordDigest } from "./record-digest.ts";
import { type AuditKeys, isSealedBy, type Seal, sealName, sealsAfter } from "./seal.ts";

/** Something that is not as it was sealed. */
export interface AuditProblem extends Omit<ChangedRecord, "what"> {
  /** `seal` and `no_seal`: the seal itself was changed, or taken away. Its records, and the next seal's, are not judged. */
  readonly what: ChangedRecord["what"] | "seal" | "no_seal";
  readonly log: Log;
  readonly seal: number;
  /** The seal's range. */
  readonly from: Date | null;
  readonly until: Date | null;
}

export interface VerifiedLog {
  readonly log: Log;
  readonly seals: number;
  /** Sealed ones that were compared. */
  readonly records: number;
  /** Records that no seal has yet. */
  readonly unsealed: number;
  readonly sealedUntil: Date | null;
  /** The name of the newest seal. */
  readonly last: string | null;
}

/** A prune after which a range may be empty. */
export interface Pruned {
  readonly until: Date;
  readonly at: Date;
  readonly actor: string;
}

export interface VerifiedAudit {
  readonly logs: readonly VerifiedLog[];
  readonly pruned: Pruned | null;
  /** The earliest first, of each log. */
  readonly problems: readonly AuditProblem[];
}

/**
 * Compares both logs with their seals. It reads them whole, beside everybody.
 *
 * @param expected the name of a seal that was kept elsewhere: it must be there
 */
export async function verifyLogs(sql: Queries, keys: AuditKeys, expected?: SealReference): Promise<VerifiedAudit> {
  const problems: AuditProblem[] = [];
  const pruned = await lastPrune(sql);
  const logs: VerifiedLog[] = [];
  for (const log of LOGS) {
    const expectedHere = expected?.log === log ? expected : undefined;
    logs.push(await verifyLog(sql, log, { keys, pruned, expected: expectedHere }, (each) => problems.push(each)));
  }
  return { logs, pruned, problems };
}

/** See `sealName`. */
export interface SealReference {
  readonly log: Log;
  readonly number: number;
  readonly name: string;
}

interface Check {
  readonly keys: AuditKeys;
  readonly pruned: Pruned | null;
  readonly expected: SealReference | undefined;
}

async function verifyLog(
  sql: Queries,
  log: Log,
  { keys, pruned, expected }: Check,
  tell: (problem: AuditProblem) => void,
): Promise<VerifiedLog> {
  let last: Seal | null = null;
  let [seals, records, isExpectedThere, isStartKnown] = [0, 0, false, true];
  const whole = { id: null, at: null, after: null, records: 0 };
  for (
    let page = await sealsAfter(sql, log, 0);
    page.length > 0;
    page = await sealsAfter(sql, log, last?.number ?? 0)
  ) {
    for (const seal of page) {
      const range: Range = { from: last?.until ?? null, until: seal.until };
      const number: number = (last?.number ?? 0) + 1;
      const problem = { log, seal: seal.number, ...range };
      const isNext = seal.number === number;
      const isTrue = isNext && isSealedBy(keys, seal, last?.seal ?? null);
      if (!isNext) tell({ what: "no_seal", ...whole, ...problem, seal: number });
      else if (!isTrue) tell({ what: "seal", ...whole, ...problem });
      else if (isStartKnown && !(await isPruned(sql, seal, range, pruned))) {
        for (const change of await changesIn(sql, seal, range, keys)) tell({ ...change, ...problem });
        records += seal.digests.length / DIGEST_BYTES;
      }
      isStartKnown = isTrue;
      isExpectedThere ||= sealName(seal) === expected?.name;
      seals++;
      last = seal;
    }
  }
  const unsealed = { from: last?.until ?? null, until: null };
  if (expected && !isExpectedThere) tell({ what: "no_seal", ...whole, log, seal: expected.number, ...unsealed });
  return {
    log,
    seals,
    records,
    unsealed: await countLog(sql, log, unsealed),
    sealedUntil: last?.until ?? null,
    last: last && sealName(last),
  };
}

async function isPruned(sql: Queries, { log, until }: Seal, range: Range, pruned: Pruned | null): Promise<boolean> {
  return pruned !== null && until <= pruned.until && (await countLog(sql, log, range)) === 0;
}

async function changesIn(
  sql: Queries,
  { log, digests }: Seal,
  range: Range,
  keys: AuditKeys,
): Promise<ChangedRecord[]> {
  const present: PresentRecord[] = [];
  for await (const record of readLog(sql, log, range)) {
    present.push({ id: record.id, ms: record.ms, digest: recordDigest(keys.names, record).toString("hex") });
  }
  const sealed = digests.toString("hex").match(new RegExp(`.{${2 * DIGEST_BYTES}}`, "g")) ?? [];
  return compareRange(sealed, present);
}

/** The prune that kept least. Its record is as true as any other: who can add a record can pretend a prune, and is named here. */
async function lastPrune(sql: Queries): Promise<Pruned | null> {
  const prunes = await sql<{ at: Date; actor: string; keep: string | null }[]>`
    SELECT at, actor, details ->> 'keep_months' AS keep FROM directory.audit_log WHERE event = 'audit_prune'`;
  return prunes
    .filter(({ keep }) => /^\d{1,4}$/.test(keep ?? ""))
    .map(({ at, actor, keep }) => ({ at, actor, until: monthOf(at, -Number(keep)) }))
    .reduce<Pruned | null>((least, prune) => (least && least.until >= prune.until ? least : prune), null);
}
