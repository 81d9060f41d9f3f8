import { resolve } from "node:path";
import type { RetirementOptions, SigningKey } from "@partner-connect/signing-keys";
import type { Command } from "commander";
import { wholeNumber } from "../../options/values.ts";
import type { Answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import type { Printable, Style } from "../../terminal/screen.ts";
import { type Cell, extraColumn, table } from "../../terminal/table.ts";

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

/** What a step of a rotation answers; without a key, as it was removed. */
export function stepAnswer(kid: string, key: SigningKey | undefined): Answer {
  if (key) return { json: keyJson(key), text: `Key ${kid} is ${key.status}.\n\n${nextStep(key)}` };
  return { json: { kid, status: "retired" }, text: `Key ${kid} is removed.` };
}

export function nextStep({ kid, status }: SigningKey): string {
  if (status === "generated") return `Next: partner-connect keys announce ${kid}`;
  if (status === "announced") return `Next, once every replica knows it: partner-connect keys activate ${kid}`;
  return "Next, when their last access tokens have expired: retire the keys that are 'retiring' (partner-connect keys list).";
}

const DAY_SECONDS = 24 * 60 * 60;

const EXTRAS = ["ACTIVATED", "RETIRING", "ANNOUNCED", "CREATED"].map(extraColumn);

const STYLES: Readonly<Record<SigningKey["status"], Style>> = {
  generated: "dim",
  announced: "cyan",
  active: "green",
  retiring: "yellow",
};

interface AgedKey {
  readonly key: SigningKey;
  readonly ageSeconds: number;
  readonly isOld: boolean;
}

export function keyTable(keys: readonly AgedKey[]): Printable {
  return table(
    ["KID", "ALG", "STATUS", "AGE", ...EXTRAS],
    keys.map(({ key, ageSeconds, isOld }) => [
      key.kid,
      key.alg,
      { text: key.status, style: STYLES[key.status] },
      ageCell(ageSeconds, isOld),
      key.activatedAt,
      key.retiringAt,
      key.announcedAt,
      key.createdAt,
    ]),
    "There are no keys.",
  );
}

function ageCell(seconds: number, isOld: boolean): Cell {
  const text = `${Math.floor(seconds / DAY_SECONDS)} d`;
  return isOld ? { text, style: "yellow" } : text;
}

export function agedKeyJson({ key, ageSeconds }: AgedKey) {
  return { ...keyJson(key), age_seconds: ageSeconds };
}

function keyJson(key: SigningKey) {
  return {
    kid: key.kid,
    alg: key.alg,
    status: key.status,
    created_at: key.createdAt.toISOString(),
    announced_at: key.announcedAt?.toISOString() ?? null,
    activated_at: key.activatedAt?.toISOString() ?? null,
    retiring_at: key.retiringAt?.toISOString() ?? null,
  };
}
