import type { Leash } from "./leash.ts";

/** One process of the stack, kept running until `stop`. */
export interface Part {
  readonly name: string;
  /** Where it listens, when that means something to a caller. */
  readonly url?: string;
  /** Undefined while it is between two lives. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Who is told what happens to the parts. */
export interface Watch {
  /** One line for people. */
  report(line: string): void;
  /** A part has another process than before. */
  changed(): void;
  readonly leash: Leash;
  /** Ends starts that are under way. */
  readonly signal?: AbortSignal | undefined;
}
