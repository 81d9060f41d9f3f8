import { createInterface } from "node:readline";
import { cancelled } from "./errors.ts";
import type { Terminal } from "./print.ts";

export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** The line typed after the question, which is printed on stderr. @throws {OperatorError} when the operator gives up (Ctrl-C, Ctrl-D) */
export async function ask({ stdin, stderr }: Terminal, question: string): Promise<string> {
  const reader = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0, prompt: "" });
  stderr.write(question);
  const line = await new Promise<string | null>((resolve) => {
    reader.on("SIGINT", () => resolve(null)).on("close", () => resolve(null));
    reader.on("line", resolve);
  });
  reader.close();
  if (line !== null) return line;
  stderr.write("\n");
  throw cancelled();
}
