import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";

/** The first line of `input`. On a terminal it is asked for, and not shown. Empty at the end of the input. */
export async function askSecret(
  question: string,
  input: Readable & { readonly isTTY?: boolean },
  output: Writable,
): Promise<string> {
  const terminal = input.isTTY === true;
  if (terminal) output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal, historySize: 0 });
  const line = await new Promise<string>((resolve) => {
    reader.once("line", resolve);
    reader.once("close", () => resolve(""));
  });
  reader.close();
  if (terminal) output.write("\n");
  return line.trim();
}
