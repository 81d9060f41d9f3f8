import type { Readable, Writable } from "node:stream";
import type { Config } from "./config.ts";

/** What a command has to work with. */
export interface Context {
  readonly config: Config;
  readonly terminal: Terminal;
}

export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
}
