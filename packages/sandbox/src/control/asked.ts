import type { Actor } from "@partner-connect/audit";
import { Refusal } from "./refusal.ts";

/** The body's members, all text, of which there are only these. */
export function optionsOf<Name extends string>(body: unknown, names: readonly Name[]): { [name in Name]?: string } {
  const entries = Object.entries(body ?? {});
  for (const [name, value] of entries) {
    if (!names.includes(name as Name)) throw new Refusal(400, "UNKNOWN_OPTION", `--${name} is no option of this`);
    if (typeof value !== "string") throw new Refusal(400, "INVALID_OPTION", `${name} is not a text`);
  }
  return Object.fromEntries(entries) as { [name in Name]?: string };
}

/** In the audit log. */
export function actorOf(operator = "sandbox"): Actor {
  return { name: `operator:${operator}` };
}
