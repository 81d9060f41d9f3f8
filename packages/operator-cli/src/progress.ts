import type { ImportProgress } from "@partner-connect/survey-data";
import type { Terminal } from "./context.ts";

/** Milliseconds between two reports: often enough for eyes on a terminal, rare enough for a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

export interface Progress {
  report(progress: { readonly phase: ImportProgress["phase"] | "changing"; readonly records: number }): void;
  /** Leaves the terminal's line, so that what follows begins on its own. */
  end(): void;
}

/**
 * Reports long work on stderr: one line that moves on a terminal, plain lines elsewhere. `share` says how much of
 * it is done, 0 to 1, as of the source that was read; null where nobody knows, as of a pipe, and then the count alone tells.
 */
export function reportProgress(stderr: Terminal["stderr"], noun: string, share: () => number | null): Progress {
  const pace = stderr.isTTY ? TERMINAL_PACE : LOG_PACE;
  let last = Date.now();
  let storing = false;
  let open = false;
  const write = (line: string) => {
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    open = true;
  };
  return {
    report({ phase, records }) {
      const count = countOf(records, noun);
      if (phase === "storing") {
        if (!storing) write(`storing ${count} …`);
        storing = true;
        return;
      }
      const now = Date.now();
      if (now - last < pace) return;
      last = now;
      const done = share();
      write(done === null ? `${phase}: ${count}` : `${phase}: ${Math.floor(done * 100)} % (${count})`);
    },
    end() {
      if (open && stderr.isTTY) stderr.write("\n");
    },
  };
}

/** '1 response', '1,200 responses' */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
