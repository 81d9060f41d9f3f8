import type { Readable, Writable } from "node:stream";
import type { Actor } from "@partner-connect/audit";
import type { Config } from "./config.ts";

/** What a command has to work with. */
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

/** The operator who runs the command, for the audit log. */
export function operatorActor({ config }: Context): Actor {
  return { name: `operator:${config.operator}` };
}
