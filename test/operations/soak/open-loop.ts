const TICK_MS = 5;

export interface OpenLoop {
  /** Calls that are under way. */
  readonly underWay: number;
  /** Starts no more, and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * Starts `rate` calls a second, whatever becomes of them: who waits for answers before he asks again measures nothing while nobody answers.
 * Each call is told when it was due.
 */
export function openLoop(rate: number, call: (due: number) => Promise<void>): OpenLoop {
  const began = performance.now();
  let started = 0;
  let underWay = 0;
  let idle = (): void => {};
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    for (; started < due; started++) {
      underWay += 1;
      void call(began + (started / rate) * 1000).finally(() => {
        underWay -= 1;
        if (underWay === 0) idle();
      });
    }
  }, TICK_MS);
  return {
    get underWay() {
      return underWay;
    },
    async stop() {
      clearInterval(timer);
      if (underWay === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    },
  };
}

/** How many calls a second come through when `callers` ask one after the other. */
export async function closedLoop(
  callers: number,
  seconds: number,
  call: (due: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let made = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1000) {
      await call(performance.now());
      made += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return made / ((performance.now() - began) / 1000);
}
