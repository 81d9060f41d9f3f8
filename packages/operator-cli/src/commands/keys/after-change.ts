import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Context } from "../../run/context.ts";
import { OperatorError } from "../../run/operator-error.ts";

/** Runs the operator's command after a change of the file. What it prints goes to stderr, as stdout is ours. */
export async function runAfterChange({ terminal }: Context, command: string | undefined): Promise<void> {
  if (command === undefined) return;
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (text) => terminal.stderr.write(text));
  child.stderr.on("data", (text) => terminal.stderr.write(text));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  throw new OperatorError(`the command of --after-change failed (${signal ?? `exit ${code}`})`, {
    code: "AFTER_CHANGE_FAILED",
    hint: "the file is changed; the same command runs it again and goes on",
  });
}
