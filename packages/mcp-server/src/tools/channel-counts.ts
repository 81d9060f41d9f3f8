import type { ResponseRecord } from "@partner-connect/partner-sdk";

/** By what responses can be counted. */
export const GROUPS = ["response", "original_response", "utm_source", "utm_medium", "utm_campaign"] as const;
export type Group = (typeof GROUPS)[number];

export interface ChannelCount {
  /** Null: the responses that have none, such as write-ins that nobody has categorized. */
  readonly value: string | null;
  readonly responses: number;
  /** Of all that were counted, 0 to 1. */
  readonly share: number;
}

export interface ChannelCounts {
  readonly responses_counted: number;
  /** The most frequent first. */
  readonly groups: readonly ChannelCount[];
  /** What the groups that are not shown have together. */
  readonly further: { readonly groups: number; readonly responses: number } | null;
}

/** Counts responses one by one, in memory for their different values alone. */
export class ChannelCounter {
  readonly #by: Group;
  readonly #counts = new Map<string | null, number>();
  #all = 0;

  constructor(by: Group) {
    this.#by = by;
  }

  add(response: Pick<ResponseRecord, Group>): void {
    const value = response[this.#by];
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    this.#all++;
  }

  /** The `most` most frequent values. */
  counts(most: number): ChannelCounts {
    const all = [...this.#counts].sort(
      ([a, countA], [b, countB]) => countB - countA || ((a ?? "") < (b ?? "") ? -1 : 1),
    );
    const further = all.slice(most);
    return {
      responses_counted: this.#all,
      groups: all.slice(0, most).map(([value, responses]) => ({
        value,
        responses,
        share: Math.round((responses / this.#all) * 10_000) / 10_000,
      })),
      further:
        further.length === 0
          ? null
          : { groups: further.length, responses: further.reduce((sum, [, responses]) => sum + responses, 0) },
    };
  }
}
