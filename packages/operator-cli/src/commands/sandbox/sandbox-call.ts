import { readFile } from "node:fs/promises";
import { type Config, localStackFile } from "../../run/config.ts";
import { OperatorError, UsageError } from "../../run/context.ts";
import { setPresent } from "../../terminal/present.ts";

export interface SandboxAddress {
  readonly url: string;
  readonly token: string;
}

const START = "start one with 'pnpm sandbox', or set DATA_DIR";

/** @throws {OperatorError} where no stack runs, or one without a clock of its own */
export async function sandboxAt(dataDir: string): Promise<SandboxAddress> {
  const file = localStackFile(dataDir);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "there is no" : "it can't read";
    throw new OperatorError(`no sandbox found, as ${reason} ${file}`, { code: "NO_SANDBOX", hint: START });
  });
  const sandbox = addressIn(text);
  if (sandbox) return sandbox;
  throw new OperatorError(`the stack of ${file} is no sandbox: its clock can't be moved`, {
    code: "NO_SANDBOX",
    hint: START,
  });
}

function addressIn(localStack: string): SandboxAddress | undefined {
  try {
    return (JSON.parse(localStack) as { readonly sandbox?: SandboxAddress }).sandbox;
  } catch {
    return undefined;
  }
}

/** Refusals that are the command line's mistake, whatever the sandbox holds. */
const MISUSE = new Set(["INVALID_DURATION", "INVALID_OPTION", "UNKNOWN_OPTION", "UNKNOWN_TRIGGER"]);

/** @throws {OperatorError} when the sandbox does not answer, or refuses; {UsageError} when the command line is wrong */
export async function callSandbox<Answer>(
  { url, token }: SandboxAddress,
  path: string,
  body?: object,
): Promise<Answer> {
  const authorization = `Bearer ${token}`;
  const post = { method: "POST", headers: { authorization, "content-type": "application/json" } };
  const request = body ? { ...post, body: JSON.stringify(body) } : { headers: { authorization } };
  const answer = await fetch(`${url}${path}`, request).catch((error: Error & { cause?: { code?: string } }) => {
    const reason = error.cause?.code ?? error.message;
    throw new OperatorError(`the sandbox does not answer (${reason}): is it still running?`, { code: "NO_SANDBOX" });
  });
  const document = (await answer.json()) as { readonly error?: string; readonly message?: string };
  if (answer.ok) return document as Answer;
  const { error: code = "UNEXPECTED", message = `status ${answer.status}` } = document;
  if (!MISUSE.has(code)) throw new OperatorError(message, { code });
  const hint = code.endsWith("TRIGGER") ? "'partner-connect sandbox triggers' lists them all" : undefined;
  throw new UsageError(message, hint);
}

/** Lets the commands take a sandbox's time for the present, where they work on one. What they do shall not be in its past. */
export async function followSandbox({ databaseUrl, dataDir }: Config): Promise<void> {
  const file = databaseUrl === undefined ? await readFile(localStackFile(dataDir), "utf8").catch(() => "") : "";
  const address = addressIn(file);
  const answer = address ? await callSandbox<{ now: string }>(address, "/now").catch(() => null) : null;
  setPresent(answer ? new Date(answer.now) : undefined);
}
