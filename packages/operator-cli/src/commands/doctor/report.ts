import { visible } from "../../terminal/say.ts";
import { type Printable, paint } from "../../terminal/screen.ts";
import type { Diagnosis } from "./diagnose.ts";

const MARKS = { ok: "✓", wrong: "✗" } as const;

/** A line for each check, and what to do below those that found something. */
export function report(diagnoses: readonly Diagnosis[]): Printable {
  const width = Math.max(...diagnoses.map(({ check }) => check.length));
  const wrong = diagnoses.filter(({ ok }) => !ok).length;
  return (screen) => {
    const lines = diagnoses.flatMap(({ check, ok, found, remedy }) => {
      const mark = ok ? paint(screen, "green", MARKS.ok) : paint(screen, "red", MARKS.wrong);
      const line = `${mark} ${check.padEnd(width)}  ${visible(found)}`;
      return remedy === null ? [line] : [line, `  ${" ".repeat(width)}  → ${visible(remedy)}`];
    });
    const end =
      wrong === 0
        ? paint(screen, "green", `All ${diagnoses.length} checks are fine.`)
        : paint(screen, "red", `${wrong} of ${diagnoses.length} checks found something.`);
    return [...lines, "", end].join("\n");
  };
}
