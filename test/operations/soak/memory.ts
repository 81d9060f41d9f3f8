import { readFile } from "node:fs/promises";
import type { LocalStack } from "@partner-connect/local-stack";

interface Sample {
  /** Since the start. */
  readonly hours: number;
  readonly megabytes: number;
  readonly pid: number;
}

export interface MemoryLine {
  readonly name: string;
  /** How many processes had the name, one after the other. */
  readonly lives: number;
  readonly first: number;
  readonly last: number;
  readonly highest: number;
  /** Megabytes an hour, over what was sampled of the ends of lives, after the warm-up; null: too few. */
  readonly slope: number | null;
}

/**
 * What each process of the stack keeps in memory, with those that it has started, as Postgres does: proportional set size, so that what they
 * share counts once.
 */
export class Memory {
  readonly #samples = new Map<string, Sample[]>();
  readonly #began = performance.now();

  async sample(stack: LocalStack): Promise<void> {
    const hours = (performance.now() - this.#began) / 3_600_000;
    for (const { name, pid } of stack.state.processes) {
      const megabytes = await treeSize(pid);
      if (megabytes > 0) this.#samples.set(name, [...(this.#samples.get(name) ?? []), { hours, megabytes, pid }]);
    }
  }

  /** @param warmUp hours that don't count */
  lines(warmUp: number): MemoryLine[] {
    return [...this.#samples].map(([name, samples]) => {
      const lives = new Set(samples.map(({ pid }) => pid)).size;
      const sizes = samples.map(({ megabytes }) => megabytes);
      return {
        name,
        lives,
        first: sizes[0] ?? 0,
        last: sizes.at(-1) ?? 0,
        highest: Math.max(...sizes),
        slope: slopeOf((lives > 1 ? endsOfLives(samples) : samples).filter(({ hours }) => hours >= warmUp)),
      };
    });
  }
}

/** A process that is killed every few minutes begins small: what can grow is what it has come to when it is killed. */
function endsOfLives(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ pid }, index) => samples[index + 1]?.pid !== pid);
}

/** By least squares. */
function slopeOf(samples: readonly Sample[]): number | null {
  if (samples.length < 3) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ hours }) => hours)), mean(samples.map(({ megabytes }) => megabytes))];
  const above = samples.reduce((sum, { hours, megabytes }) => sum + (hours - x) * (megabytes - y), 0);
  const below = samples.reduce((sum, { hours }) => sum + (hours - x) ** 2, 0);
  return below === 0 ? null : above / below;
}

async function treeSize(pid: number): Promise<number> {
  const [own, children] = await Promise.all([
    readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""),
    readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""),
  ]);
  const below = await Promise.all(
    children
      .split(" ")
      .filter(Boolean)
      .map((child) => treeSize(Number(child))),
  );
  const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(own)?.[1] ?? 0);
  return below.reduce((sum, size) => sum + size, kilobytes / 1024);
}
