import type { Finding } from "./finding.ts";
import type { System } from "./system.ts";

/** One thing that the system relies on. An error that it throws means that it could not be asked. */
export interface Check {
  /** Stable, for scripts. */
  readonly name: string;
  look(system: System): Promise<Finding>;
}
