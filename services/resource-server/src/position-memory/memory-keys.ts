import { hash } from "node:crypto";

export interface MemoryKeys {
  /** Since when the memory of these walks is complete. */
  readonly walks: string;
  /** The positions of the record with this id. */
  readonly of: (id: string) => string;
}

/**
 * The keys of `walks` in this run of the Redis server; all of them in one hash slot. They are hashes, as ids are long, and as
 * nobody who reads a dump should learn them.
 */
export function keysOf(run: string, walks: string): MemoryKeys {
  const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 22);
  const name = digest(`${run} ${walks}`);
  const key = `cursor:{${name}}`;
  return { walks: key, of: (id) => `${key}${digest(`${name} ${id}`)}` };
}
