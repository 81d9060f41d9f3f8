/** What one check found. */
export interface Finding {
  readonly ok: boolean;
  /** What is so, in one line. Never a secret. */
  readonly found: string;
  /** What the operator should do; null where nothing is wrong. */
  readonly todo: string | null;
}

export function fine(found: string): Finding {
  return { ok: true, found, todo: null };
}

export function wrong(found: string, todo: string): Finding {
  return { ok: false, found, todo };
}

/** Fine, unless there are problems. */
export function unless(problems: readonly string[], found: string, todo: string): Finding {
  return problems.length === 0 ? fine(found) : wrong(problems.join("; "), todo);
}
