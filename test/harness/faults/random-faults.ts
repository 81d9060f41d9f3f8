import type { ChooseFault, Fault } from "./faulty-proxy.ts";

const FAULTS: readonly Fault[] = [
  { fault: "drop-request" },
  { fault: "drop-answer" },
  { fault: "cut" },
  { fault: "cut", afterBytes: 400_000 },
  { fault: "double", answer: "first" },
  { fault: "double", answer: "second" },
  { fault: "delay", ms: 50 },
  { fault: "gateway", status: 502 },
  { fault: "gateway", status: 429, headers: { "retry-after": "1" } },
];

/** About one call in `oneIn` gets a fault; a seed determines which. */
export function randomFaults(seed: number, oneIn: number): ChooseFault {
  const random = seededRandom(seed);
  return () =>
    random() * oneIn < 1 ? (FAULTS[Math.floor(random() * FAULTS.length)] ?? null) : null;
}

/** Numbers from 0 to 1, determined by the seed (Mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
