import type { RetirementOptions } from "@partner-connect/signing-keys";
import type { Command } from "commander";
import { wholeNumber } from "../../options/whole-number.ts";
import type { Context } from "../../run/context.ts";

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
