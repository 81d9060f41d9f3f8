import type { DriverPool } from "../../pool/connect.ts";
import { isDatabaseFault } from "../../pool/database-fault.ts";
import { KEPT, questionOf, WrongAnswerError } from "./questions.ts";

export interface Tally {
  right: number;
  wrong: number;
  /** How often each code was met. */
  readonly faults: Record<string, number>;
  /** The first few of what was wrong. */
  readonly samples: string[];
}

export interface Callers {
  readonly tally: Tally;
  /** How many questions were answered or refused. */
  readonly asked: number;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** `count` callers who ask `sql` one question after the other. */
export function startCallers(sql: DriverPool, count: number): Callers {
  const tally: Tally = { right: 0, wrong: 0, faults: {}, samples: [] };
  let asked = 0;
  let isOver = false;
  const call = async (caller: number): Promise<void> => {
    for (let turn = caller; !isOver; turn++) {
      try {
        await questionOf(turn)(sql, `caller-${caller}-${turn}-`, 1 + (turn % KEPT));
        tally.right++;
      } catch (error) {
        note(tally, error);
      }
      asked++;
    }
  };
  const calls = Promise.all(Array.from({ length: count }, (_, caller) => call(caller)));
  return {
    tally,
    get asked() {
      return asked;
    },
    async stop() {
      isOver = true;
      await calls;
    },
  };
}

/** A fault says 'not now'. Everything else that is not the caller's own is wrong. */
function note(tally: Tally, error: unknown): void {
  if (isDatabaseFault(error) && !(error instanceof WrongAnswerError)) {
    const { code } = error as { code: string };
    tally.faults[code] = (tally.faults[code] ?? 0) + 1;
    return;
  }
  tally.wrong++;
  if (tally.samples.length < 5) tally.samples.push(String(error));
}
