import { setTimeout as sleep } from "node:timers/promises";
import { runOperatorProcess } from "../../harness/actors/operator.ts";
import { generateResponses } from "../../harness/actors/survey.ts";
import type { SoakWorld } from "./world.ts";

/** Records of each import. */
const RECORDS = 50;

export interface Writers {
  readonly imported: number;
  readonly recategorized: number;
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** Imports responses by the operator's command line, and recategorizes one of them, every `everyMs`. */
export function writeSurvey({ state, written: { shop } }: SoakWorld, everyMs: number): Writers {
  const failures: string[] = [];
  let imported = 0;
  let recategorized = 0;
  const over = new AbortController();

  async function once(round: number): Promise<void> {
    const records = await generateResponses(RECORDS, `soak-${round}`);
    const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const done = await runOperatorProcess(state, ["response", "import", "--shop", shop.id, "-"], { stdin });
    if (done.exitCode !== 0) return void failures.push(`import: ${done.stderr.trim()}`);
    imported += RECORDS;
    const id = records[0]?.id ?? "";
    const words = ["response", "recategorize", "--shop", shop.id, "--id", id, "--response", `Round ${round}`];
    const changed = await runOperatorProcess(state, words);
    if (changed.exitCode !== 0) return void failures.push(`recategorize: ${changed.stderr.trim()}`);
    recategorized += 1;
  }

  const work = (async () => {
    for (let round = 1; !over.signal.aborted; round++) {
      await once(round);
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  return {
    get imported() {
      return imported;
    },
    get recategorized() {
      return recategorized;
    },
    failures,
    async stop() {
      over.abort();
      await work;
    },
  };
}
