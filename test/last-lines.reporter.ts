import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestModule } from "vitest/node";
import { type LeftOut, ROOT } from "./tiers.ts";

/** Prints at the end of a run which tests lack a program, and each failure with its cause. */
export function lastLines(leftOut: readonly LeftOut[]): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      for (const { program, files } of leftOut) {
        console.log(
          `\nLeft out, as ${program.name} is missing (Debian, Ubuntu: apt-get install ${program.package}):`,
        );
        for (const file of files) console.log(`  ${file}`);
      }
      for (const line of modules.flatMap(failuresOf)) console.log(line);
      for (const { message } of unhandled)
        console.log(`failed: an unhandled error: ${reasonOf(message)}`);
    },
  };
}

/** `failed: FILE: TEST: REASON` */
function failuresOf(module: TestModule): string[] {
  const file = relative(ROOT, module.moduleId);
  const tests = [...module.children.allTests("failed")];
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [
    ...tests.map(
      (test) =>
        `failed: ${file}: ${test.fullName}: ${reasonOf(test.result().errors?.[0]?.message)}`,
    ),
    ...[...module.errors(), ...suites].map(
      ({ message }) => `failed: ${file}: the file: ${reasonOf(message)}`,
    ),
  ];
}

function reasonOf(message = "no reason given"): string {
  return stripVTControlCharacters(message).trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
}
