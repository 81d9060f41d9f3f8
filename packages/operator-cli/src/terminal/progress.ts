import type { Terminal } from "../run/context.ts";

/** Milliseconds between two reports: many for a terminal, few for a log. */
const TERMINAL_PACE = 100;
const LOG_PACE = 2000;

export interface Progress {
  readonly phase: "reading" | "storing" | "changing";
  readonly records: number;
  /** How much is done, 0 to 1; null: unknown, then only the count is shown. */
  readonly share: number | null;
}

/** Reports long work on stderr, from time to time and when another phase begins: a terminal's line changes. */
export function reportProgress(stderr: Terminal["stderr"], noun: string) {
  const pace = stderr.isTTY ? TERMINAL_PACE : LOG_PACE;
  let last = Date.now();
  let current: Progress["phase"] | undefined;
  let open = false;
  return {
    report({ phase, records, share }: Progress) {
      const isNew = current !== undefined && current !== phase;
      current = phase;
      const now = Date.now();
      if (now - last < pace && !isNew) return;
      last = now;
      const count = countOf(records, noun);
      const line = share === null ? `${phase}: ${count}` : `${phase}: ${Math.floor(share * 100)} % (${count})`;
      stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
      open = true;
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
