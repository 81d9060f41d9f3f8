import type { ChildProcess } from "node:child_process";
import type { Stores } from "./open-stores.ts";
import type { LocalStackState } from "./state.ts";

/** A clock other than the machine's, which a sandbox moves. Without one every part of the stack tells the machine's time. */
export interface StackClock {
  /** Makes the stores tell its time. Called before the tables are made. */
  open(stores: Stores): Promise<void>;
  /** Flags of Node for each process that follows it. */
  readonly nodeFlags: readonly string[];
  /** A process with these flags, and a channel to it, has been started: at every start anew. */
  follow(name: string, child: ChildProcess): void;
  readonly address: NonNullable<LocalStackState["sandbox"]>;
}
