import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

export type Kind = "read" | "refresh" | "write";

/** What became of the calls. */
export class Counts {
  readonly done: Record<Kind, number> = { read: 0, refresh: 0, write: 0 };
  /** 503 or no answer, to a call that the caller repeated. */
  readonly repeated: Record<Kind, number> = { read: 0, refresh: 0, write: 0 };
  /** What came instead of the answer, and how often. */
  readonly failures = new Map<string, number>();
  /** Microseconds from when a call was due until it was answered as asked, repetitions included. */
  readonly #all: Record<Kind, RecordableHistogram> = {
    read: createHistogram(),
    refresh: createHistogram(),
    write: createHistogram(),
  };
  #recent = createHistogram();

  answered(kind: Kind, milliseconds: number): void {
    const microseconds = Math.max(1, Math.round(milliseconds * 1000));
    this.done[kind] += 1;
    this.#all[kind].record(microseconds);
    this.#recent.record(microseconds);
  }

  fail(kind: Kind, how: string): void {
    const what = `${kind}: ${how}`;
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }

  get requests(): number {
    return this.done.read + this.done.refresh + this.done.write + this.failed;
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Milliseconds. */
  latency(kind: Kind, percentile: number): number {
    return this.#all[kind].percentile(percentile) / 1000;
  }

  /** The same of all calls since it was asked last. */
  recentLatency(percentile: number): number {
    const value = this.#recent.percentile(percentile) / 1000;
    this.#recent = createHistogram();
    return value;
  }
}
