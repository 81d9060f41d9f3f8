import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { cancelled } from "./errors.ts";
import type { Terminal } from "./print.ts";

export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** The lines typed after each question, printed on stderr. @throws {OperatorError} when the operator gives up (Ctrl-C, Ctrl-D) */
export async function ask(
  { stdin, stderr }: Terminal,
  questions: readonly string[],
  isShown = true,
): Promise<readonly string[]> {
  const output = isShown ? stderr : new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0, prompt: "" });
  const lines: string[] = [];
  stderr.write(questions[0] ?? "");
  try {
    await new Promise<void>((resolve) => {
      reader.on("SIGINT", resolve).on("close", resolve);
      reader.on("line", (line) => {
        lines.push(line);
        if (!isShown) stderr.write("\n");
        if (lines.length < questions.length) stderr.write(questions[lines.length] ?? "");
        else resolve();
      });
    });
  } finally {
    reader.close();
  }
  if (lines.length >= questions.length) return lines;
  stderr.write("\n");
  throw cancelled();
}
