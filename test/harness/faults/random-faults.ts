import type { ChooseFault, Fault } from "./faulty-proxy.ts";

/** About one call in `oneIn` meets one of these faults, always the same ones for a seed. */
export function randomFaults(seed: number, oneIn: number, faults: readonly Fault[]): ChooseFault {
  const random = seededRandom(seed);
  return () => (random() * oneIn < 1 ? (faults[Math.floor(random() * faults.length)] ?? null) : null);
}

/** Numbers from 0 to 1, always the same ones for a seed (Mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
