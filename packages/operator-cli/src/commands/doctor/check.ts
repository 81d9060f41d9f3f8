import type { System } from "./system.ts";

/** Looks at one thing that the system relies on. An error that it throws means that it could not be asked. */
export type Check = (system: System) => Promise<Finding>;

export interface Finding {
  readonly ok: boolean;
  /** What is so, in one line. Never a secret. */
  readonly found: string;
  /** What the operator should do; null where nothing is wrong. */
  readonly remedy: string | null;
}

export function fine(found: string): Finding {
  return { ok: true, found, remedy: null };
}

export function wrong(found: string, remedy: string): Finding {
  return { ok: false, found, remedy };
}

/** Fine, unless there are problems. */
export function unless(problems: readonly string[], found: string, remedy: string): Finding {
  return problems.length === 0 ? fine(found) : wrong(problems.join("; "), remedy);
}
