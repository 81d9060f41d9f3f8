import { setTimeout as sleep } from "node:timers/promises";
import {
  type AskedReplicas,
  beforeActivation,
  beforeRetirement,
  type Obstacle,
  type RotationStep,
} from "@partner-connect/signing-keys";
import { askReplicas } from "../../replicas/ask-replicas.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import type { Replica } from "../../run/stack.ts";
import { lifetimesOf, type SkewOption } from "./keys-answer.ts";

const ASK_EVERY_MS = 1000;
/** The same is told again after this. */
const REMIND_MS = 30_000;

interface Waiting extends SkewOption {
  readonly replicas: readonly Replica[];
}

/** Asks the replicas until the step is safe, and tells what it waits for. @throws {OperatorError} INTERRUPTED, by Ctrl-C */
export async function untilSafe(
  context: Context,
  options: Waiting,
  next: Exclude<RotationStep, { step: "generate" | "done" }>,
  tell: (line: string) => void,
): Promise<AskedReplicas> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt);
  let told = "";
  let toldAt = 0;
  try {
    for (;;) {
      const asked = await askReplicas(next.step === "announce" ? [] : options.replicas);
      const obstacles = obstaclesOf(context, options, next, asked);
      if (obstacles.length === 0) return asked;
      const what = obstacles.map(({ reason }) => reason.replace(/: wait \d+ s more$/, "")).join("; ");
      const kind = what.replace(/\d+/g, "");
      if (kind !== told || Date.now() - toldAt > REMIND_MS) {
        tell(`waiting to ${next.step} key ${next.key.kid}${untilWhen(obstacles)}: ${what}`);
        [told, toldAt] = [kind, Date.now()];
      }
      await sleep(ASK_EVERY_MS, undefined, { signal: interruption.signal }).catch(() => {
        const hint = "the same command goes on with the rotation";
        throw new OperatorError(`interrupted before key ${next.key.kid} could be ${PARTICIPLE[next.step]}`, {
          code: "INTERRUPTED",
          hint,
        });
      });
    }
  } finally {
    process.off("SIGINT", interrupt);
  }
}

const PARTICIPLE = { announce: "announced", activate: "activated", retire: "retired" } as const;

function obstaclesOf(
  context: Context,
  options: Waiting,
  { step, key }: Exclude<RotationStep, { step: "generate" | "done" }>,
  asked: AskedReplicas,
): Obstacle[] {
  if (step === "activate") return beforeActivation(key, new Date(), asked);
  if (step === "retire") return beforeRetirement(key, new Date(), asked, lifetimesOf(context, options));
  return [];
}

function untilWhen(obstacles: readonly Obstacle[]): string {
  const seconds = obstacles.map((each) => each.seconds);
  if (seconds.includes(null)) return "";
  const end = new Date(Date.now() + Math.max(...seconds.map(Number)) * 1000);
  return ` until ${end.toISOString().slice(11, 19)} UTC`;
}
