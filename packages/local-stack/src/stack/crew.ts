import type { Leash } from "../processes/leash.ts";
import type { Part, Watch } from "../processes/part.ts";
import type { ProcessState } from "./state.ts";

/** The processes of a stack, started together and ended in order. */
export interface Crew {
  readonly watch: Watch;
  /** Waits for all of them, also when one fails, so that none is forgotten. */
  add(...starts: readonly Promise<Part>[]): Promise<void>;
  processes(): ProcessState[];
  stop(): Promise<void>;
}

export interface CrewOptions {
  readonly report: (line: string) => void;
  readonly changed: () => void;
  readonly leash: Leash;
  readonly signal: AbortSignal | undefined;
}

/** From the outside in: no request reaches a part that has lost what it needs. */
const STOP_ORDER = [/^gateway$/, /-server-\d+$/, /./];

export function createCrew({ report, changed, leash, signal }: CrewOptions): Crew {
  let parts: readonly Part[] = [];
  return {
    watch: { report, changed, leash, signal },
    async add(...starts) {
      const outcomes = await Promise.allSettled(
        starts.map(async (start) => {
          const part = await start;
          parts = [...parts, part];
          changed();
        }),
      );
      signal?.throwIfAborted();
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    },
    processes() {
      return parts.flatMap(({ name, pid, url }) => (pid === undefined ? [] : [{ name, pid, ...(url && { url }) }]));
    },
    async stop() {
      for (const kind of STOP_ORDER) {
        const ending = parts.filter((part) => kind.test(part.name));
        parts = parts.filter((part) => !ending.includes(part));
        await Promise.all(ending.map((part) => part.stop()));
      }
      await leash.release();
    },
  };
}
