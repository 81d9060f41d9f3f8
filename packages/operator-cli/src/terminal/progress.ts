import type { ImportProgress } from "@partner-connect/survey-data";
import type { Terminal } from "../run/context.ts";

/** Milliseconds between two reports: many for a terminal, few for a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

/** Reports long work on stderr: a terminal's line changes. `share`: how much was read, 0 to 1; null: unknown, then only counts. */
export function reportProgress(stderr: Terminal["stderr"], noun: string, share: () => number | null) {
  const pace = stderr.isTTY ? TERMINAL_PACE : LOG_PACE;
  let last = Date.now();
  let storing = false;
  let open = false;
  const write = (line: string) => {
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
    open = true;
  };
  return {
    report({ phase, records }: { readonly phase: ImportProgress["phase"] | "changing"; readonly records: number }) {
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
    /** Ends the line on a terminal, so that what follows begins on a new one. */
    end() {
      if (open && stderr.isTTY) stderr.write("\n");
    },
  };
}

/** '1 response', '1,200 responses' */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
