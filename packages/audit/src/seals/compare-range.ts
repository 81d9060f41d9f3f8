import { recordTime, type StoredRecord } from "../read-log.ts";

/** A record that is not what was sealed, or that is missing. */
export interface ChangedRecord {
  readonly what: "changed" | "added" | "missing";
  /** Of the record; of a missing one null, as a seal has its digest alone. */
  readonly id: string | null;
  readonly at: string | null;
  /** The record before it that is as it was; null: none in this range. */
  readonly after: string | null;
  /** Of missing ones how many, one after the other; else 1. */
  readonly records: number;
}

export interface PresentRecord extends Pick<StoredRecord, "id" | "ms"> {
  readonly digest: string;
}

/** How the records of a range, by time and id, differ from the sealed digests. */
export function compareRange(sealedDigests: readonly string[], present: readonly PresentRecord[]): ChangedRecord[] {
  const [sealed, found] = [new Set(sealedDigests), new Set(present.map(({ digest }) => digest))];
  const changes: ChangedRecord[] = [];
  let after: string | null = null;
  let at = 0;
  const told = (what: "changed" | "added", { id, ms }: PresentRecord) =>
    changes.push({ what, id, at: recordTime(ms), after, records: 1 });
  const missing = () => {
    const last = changes.at(-1);
    const isNext = last?.what === "missing" && last.after === after;
    if (isNext) changes[changes.length - 1] = { ...last, records: last.records + 1 };
    else changes.push({ what: "missing", id: null, at: null, after, records: 1 });
    at++;
  };
  for (const record of present) {
    // What was sealed here and is nowhere in the range.
    while (at < sealedDigests.length && sealed.has(record.digest) && !found.has(sealedDigests[at] ?? "")) missing();
    if (record.digest === sealedDigests[at]) {
      after = record.id;
      at++;
    } else if (!sealed.has(record.digest) && at < sealedDigests.length && !found.has(sealedDigests[at] ?? "")) {
      told("changed", record);
      at++;
    } else {
      told("added", record);
    }
  }
  while (at < sealedDigests.length) missing();
  return changes;
}
