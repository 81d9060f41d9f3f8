import { hash } from "node:crypto";

export interface MemoryKeys {
  /** Since when the memory of these walks is complete. */
  readonly walks: string;
  /** The positions of the record with this id. */
  readonly of: (id: string) => string;
}

/** What all keys of `walks` begin with, whatever the run: it decides their hash slot, and so their server. */
export function slotKey(walks: string): string {
  return `cursor:{${digest(walks).slice(0, 6)}}`;
}

/**
 * The keys of `walks` in this run of the Redis server; all of them in one hash slot. They are hashes, as ids are long, and as
 * nobody who reads a dump should learn them.
 */
export function keysOf(run: string, walks: string): MemoryKeys {
  const slot = slotKey(walks);
  const name = digest(`${run} ${walks}`);
  return { walks: `${slot}${name}`, of: (id) => `${slot}${digest(`${name} ${id}`)}` };
}

function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
