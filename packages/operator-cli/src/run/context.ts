import type { Readable, Writable } from "node:stream";
import type { Actor } from "@partner-connect/audit";
import packageJson from "../../package.json" with { type: "json" };
import type { Config } from "./config.ts";

export interface Context {
  readonly config: Config;
  readonly terminal: Terminal;
}

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function operatorActor({ config }: Context): Actor {
  return { name: `operator:${config.operator}` };
}

interface ErrorDetails {
  /** Stable, for scripts (default: OPERATOR_ERROR). */
  readonly code?: string;
  readonly hint?: string;
}

/** The command can't be done as it was given. The message is one line. */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, { code = "OPERATOR_ERROR", hint }: ErrorDetails = {}) {
    super(message);
    this.name = "OperatorError";
    this.code = code;
    this.hint = hint;
  }
}

/** The command has answered, and its answer is a failure: exit code 1, and nothing more to say. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
}

/** The command line is wrong, whatever the system holds: exit code 2. */
export class UsageError extends OperatorError {
  constructor(message: string, hint?: string) {
    super(message, { code: "USAGE", ...(hint !== undefined && { hint }) });
  }
}

export const VERSION: string = packageJson.version;
