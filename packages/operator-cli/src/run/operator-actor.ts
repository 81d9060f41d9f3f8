import type { Actor } from "@partner-connect/audit";
import type { Context } from "./context.ts";

/** The operator who runs the command, for the audit log. */
export function operatorActor({ config }: Context): Actor {
  return { name: `operator:${config.operator}` };
}
