import type { Finding } from "./finding.ts";
import { type Printed, pnpm } from "./pnpm.ts";

export async function checkAdvisories(): Promise<Finding> {
  return judge(await pnpm("audit", "--prod", "--json"));
}

/** Of what `pnpm audit --json` printed. Only a report says 'none': a registry that could not be asked has not said so. */
export function judge({ code, stdout }: Printed): Finding {
  const known = advisories(stdout);
  const found = known === null ? "could not ask the registry" : known.length === 0 ? "none known" : known.join(", ");
  const remedy = "pnpm audit --prod, where the registry can be asked";
  return { check: "advisories", ok: known?.length === 0 && code === 0, found, remedy };
}

/** The packages with a known weakness; null where the text is no report. */
function advisories(text: string): string[] | null {
  try {
    const report = JSON.parse(text);
    if (typeof report?.advisories !== "object" || report.advisories === null) return null;
    return Object.values<{ module_name?: string }>(report.advisories).map(({ module_name: name }) => name ?? "?");
  } catch {
    return null;
  }
}
