import { explain } from "../../run/explain.ts";
import type { Check } from "./check.ts";
import { CHECKS } from "./checks/index.ts";
import { type Finding, wrong } from "./finding.ts";
import type { System } from "./system.ts";

export interface Diagnosis extends Finding {
  readonly check: string;
}

/** Looks at everything, side by side. */
export async function diagnose(system: System): Promise<Diagnosis[]> {
  return await Promise.all(CHECKS.map(async (check) => ({ check: check.name, ...(await lookAt(check, system)) })));
}

/** What could not be asked is not fine, and it is not wrong either: it is said as it is. */
async function lookAt({ look }: Check, system: System): Promise<Finding> {
  try {
    return await look(system);
  } catch (error) {
    const { message, hint } = await explain(error);
    return wrong(`could not ask: ${message}`, hint ?? "make it answer, and look again");
  }
}
