/** For each part that a process needs, by name, a check that rejects when the part doesn't work. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** Is told when a part stops working, and when it works again; not of each check. */
export interface ReadinessLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A part is checked once a second at most, however often `/readyz` is asked. */
const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;
/** For a process to connect to what it needs. */
const START_MS = 3000;

interface Result {
  readonly until: number;
  readonly passes: Promise<boolean>;
}

/** Returns what names the parts that don't work now. `excluded` ones are checked, for the log, and not waited for. */
export function readiness(
  checks: ReadinessChecks,
  log?: ReadinessLog,
): (excluded: readonly string[]) => Promise<string[]> {
  const results = new Map<string, Result>();
  const causes = new Map<string, string>();
  /** Until then a part that doesn't work may just not be connected yet, which is no reason to warn. */
  const startedUntil = Date.now() + START_MS;

  const note = (part: string, cause: string | null): boolean => {
    if (cause === null) {
      if (causes.delete(part)) log?.info({ part }, "works again");
    } else if (causes.get(part) !== cause) {
      causes.set(part, cause);
      if (Date.now() < startedUntil) log?.info({ part, cause }, "not ready yet");
      else log?.warn({ part, cause }, "not ready");
    }
    return cause === null;
  };

  const passesNow = (name: string, check: () => Promise<void>): Promise<boolean> => {
    const known = results.get(name);
    if (known && known.until > Date.now()) return known.passes;
    const result = { until: Date.now() + CACHE_MS, passes: causeOfFailure(check).then((cause) => note(name, cause)) };
    results.set(name, result);
    return result.passes;
  };

  return async (excluded) => {
    const results = Object.entries(checks).map(([name, check]) => [name, passesNow(name, check)] as const);
    const asked = results.filter(([name]) => !excluded.includes(name));
    const passed = await Promise.all(asked.map(([, passes]) => passes));
    return asked.flatMap(([name], index) => (passed[index] ? [] : [name]));
  };
}

async function causeOfFailure(check: () => Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    const late = () => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`);
    // Timers run before sockets are read: in a process that was busy, an answer that has arrived is read first.
    timer = setTimeout(() => setImmediate(late), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => null), tooLate]);
  } catch (error) {
    return causeOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/** With what caused it. An error of several, as of a host with several addresses, has no message of its own. */
function causeOf(error: unknown): string {
  const { message, errors, code, cause } = (error ?? {}) as Failure;
  const said = message || errors?.[0]?.message || code || String(error);
  return cause === undefined ? said : `${said}: ${causeOf(cause)}`;
}

type Failure = Partial<Pick<AggregateError, "message" | "errors" | "cause">> & { readonly code?: string };
