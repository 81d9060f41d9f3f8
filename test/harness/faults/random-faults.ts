import type { ChooseFault, Fault } from "./faulty-proxy.ts";
import { seededRandom } from "./seeded-random.ts";

/** About one call in `oneIn` meets one of these faults, always the same ones for a seed. */
export function randomFaults(seed: number, oneIn: number, faults: readonly Fault[]): ChooseFault {
  const random = seededRandom(seed);
  return () => (random() * oneIn < 1 ? (faults[Math.floor(random() * faults.length)] ?? null) : null);
}
