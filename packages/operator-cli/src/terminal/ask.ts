import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { OperatorError, type Terminal, UsageError } from "../run/context.ts";

export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** What is typed after `question`, or null at the end of the input. It is printed on stderr, as stdout may go elsewhere. */
export async function ask(terminal: Terminal, question: string): Promise<string | null> {
  terminal.stderr.write(question);
  const [said = null] = await readLines(terminal, 1, terminal.stderr);
  return said;
}

/** What is typed after each question, without showing it. @throws {OperatorError} when the operator gives up (Ctrl-C, Ctrl-D) */
async function askSecrets(terminal: Terminal, questions: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const [first = "", ...rest] = questions;
  terminal.stderr.write(first);
  const secrets = await readLines(terminal, questions.length, nowhere, (answered) => {
    terminal.stderr.write(`\n${rest[answered - 1] ?? ""}`);
  });
  if (secrets.length === questions.length) return secrets;
  terminal.stderr.write("\n");
  throw cancelled();
}

/** A password, typed twice. `insteadUse`: for scripts. @throws {OperatorError} if they differ; {UsageError} without a terminal */
export async function askNewPassword(terminal: Terminal, insteadUse: string): Promise<string> {
  if (!canAsk(terminal))
    throw new UsageError("a password is missing, and there is no terminal to ask for it", insteadUse);
  const [password = "", again] = await askSecrets(terminal, ["New password (it is not shown): ", "The same again: "]);
  if (password === again) return password;
  throw new OperatorError("the two passwords differ; nothing was changed", { code: "PASSWORDS_DIFFER" });
}

export function cancelled(): OperatorError {
  return new OperatorError("cancelled; nothing was changed", { code: "CANCELLED" });
}

/** `count` lines of the input, or fewer at its end. */
function readLines(
  { stdin, stderr }: Terminal,
  count: number,
  output: Writable,
  onLine: (read: number) => void = () => {},
): Promise<string[]> {
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0, prompt: "" });
  const lines: string[] = [];
  return new Promise<string[]>((resolve, reject) => {
    reader.on("SIGINT", () => {
      stderr.write("\n");
      reject(cancelled());
    });
    reader.on("close", () => resolve(lines));
    reader.on("line", (line) => {
      if (lines.length === count) return;
      onLine(lines.push(line));
      if (lines.length === count) reader.close();
    });
  }).finally(() => reader.close());
}
