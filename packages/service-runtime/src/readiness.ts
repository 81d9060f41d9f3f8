/** For each part that a process needs, by name, a check that rejects when the part doesn't work. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** A part is checked once a second at most, however often `/readyz` is asked. */
const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;

interface Result {
  readonly until: number;
  readonly passes: Promise<boolean>;
}

/** Returns a function that names the parts that don't work now. It leaves out the `excluded` ones. */
export function readiness(checks: ReadinessChecks): (excluded: readonly string[]) => Promise<string[]> {
  const results = new Map<string, Result>();

  const passesNow = (name: string, check: () => Promise<void>): Promise<boolean> => {
    const known = results.get(name);
    if (known && known.until > Date.now()) return known.passes;
    const result = { until: Date.now() + CACHE_MS, passes: passesInTime(check) };
    results.set(name, result);
    return result.passes;
  };

  return async (excluded) => {
    const asked = Object.entries(checks).filter(([name]) => !excluded.includes(name));
    const passed = await Promise.all(asked.map(([name, check]) => passesNow(name, check)));
    return asked.flatMap(([name], index) => (passed[index] ? [] : [name]));
  };
}

async function passesInTime(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
