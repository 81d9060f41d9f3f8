import { resolve } from "node:path";
import type { RetirementOptions } from "@partner-connect/signing-keys";
import type { Command } from "commander";
import { wholeNumber } from "../../options/values.ts";
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

export interface SkewOption {
  readonly clockSkew?: number;
}

export function takesClockSkew(command: Command): Command {
  return command.option(
    "--clock-skew <seconds>",
    "how far the clocks of your machines may differ; a key is kept this much longer than its last token (default: 60)",
    (text: string) => wholeNumber(text, "--clock-skew", { min: 0, max: 3600 }),
  );
}

export function lifetimesOf({ config }: Context, { clockSkew }: SkewOption): RetirementOptions {
  const { accessTokenTtlSeconds } = config;
  return {
    ...(accessTokenTtlSeconds !== undefined && { accessTokenTtlSeconds }),
    ...(clockSkew !== undefined && { clockSkewSeconds: clockSkew }),
  };
}
