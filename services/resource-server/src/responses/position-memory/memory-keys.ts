import { hash } from "node:crypto";
import type { Caller } from "../../authentication/caller.ts";
import type { ListParameters } from "../list-parameters.ts";

/** The walks that share a memory. */
export function spaceOf(caller: Caller, { sort, ranges }: ListParameters): string {
  return JSON.stringify([caller.id, sort, ranges]);
}

/** Hashed: ids are long, and nobody's business in a dump. */
export function keysOf(run: string, space: string): { readonly space: string; readonly of: (id: string) => string } {
  const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 22);
  const name = digest(`${run} ${space}`);
  const key = `cursor:{${name}}`;
  return { space: key, of: (id) => `${key}${digest(`${name} ${id}`)}` };
}
