import type { Actor } from "@partner-connect/audit";
import type { SandboxWorld } from "./sandbox-world.ts";

export const TRIGGER_OPTIONS = ["connection", "shop", "client", "seconds", "plan", "response", "count"] as const;

export type TriggerOption = (typeof TRIGGER_OPTIONS)[number];

export type TriggerOptions = { readonly [option in TriggerOption]?: string };

/** Something that a partner meets in years, brought about now, by what brings it about in production. */
export interface Trigger {
  readonly name: string;
  readonly does: string;
  /** What a partner's program sees then, and what it should do. */
  readonly partner: string;
  readonly options: readonly TriggerOption[];
  /** Returns what it did, for people and scripts. */
  pull(world: SandboxWorld, options: TriggerOptions, actor: Actor): Promise<Readonly<Record<string, unknown>>>;
}

/** The trigger can't be pulled as it was asked. The message is one line for people. */
export class TriggerError extends Error {
  readonly code = "TRIGGER";
}
