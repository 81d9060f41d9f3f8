import type { Reporter } from "vitest/node";
import type { LeftOut } from "./tiers.ts";

/** Says at the end of a run which tests were left out for want of a program, and how to get it. */
export function leftOutReporter(leftOut: readonly LeftOut[]): Reporter {
  return {
    onTestRunEnd() {
      for (const { program, files } of leftOut) {
        console.log(`\nLeft out, as ${program.name} is missing (Debian, Ubuntu: apt-get install ${program.package}):`);
        for (const file of files) console.log(`  ${file}`);
      }
    },
  };
}
