import { resolve } from "node:path";
import type { Command } from "commander";
import type { Context } from "../../run/context.ts";

export interface KeysFileOption {
  readonly keysFile?: string;
}

export function takesKeysFile(command: Command): Command {
  return command.option("--keys-file <path>", "the file of signing keys (default: SIGNING_KEYS_FILE)");
}

export function fileOf({ config }: Context, { keysFile }: KeysFileOption): string {
  return keysFile === undefined ? config.signingKeysFile : resolve(config.workingDirectory, keysFile);
}
