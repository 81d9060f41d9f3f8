import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditAction } from "@partner-connect/audit";
import type { SigningAlgorithm } from "@partner-connect/contract";
import {
  activateKey,
  announceKey,
  changeKeys,
  generateKey,
  loadKeys,
  removeRetiringKey,
  type SigningKey,
  SigningKeysError,
} from "@partner-connect/signing-keys";
import type { Answer, Cli } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { printText } from "../print.ts";

/**
 * Runs `change` in the transaction of the audit record, which commits afterwards. `change` calls
 * `record` with the key, and then writes the keys file.
 */
export type ChangeWithRecord = <T>(
  action: AuditAction,
  change: (record: (key: SigningKey) => Promise<void>) => Promise<T>,
) => Promise<T>;

export interface RotateOptions {
  readonly file: string;
  readonly alg: SigningAlgorithm | undefined;
  /** A shell command that copies the changed file to the servers. */
  readonly afterChange: string | undefined;
  /** How long a changed file may take to reach all servers. */
  readonly waitSeconds: number;
  readonly accessTokenTtlSeconds: number;
}

const DONE = {
  generate: "published key",
  activate: "activated key",
  retire: "removed key",
} as const;

/**
 * Begins a rotation, or continues an unfinished one, until the former key is removed. The keys file
 * is the only state, so the command may be interrupted at any moment.
 */
export async function rotate(
  cli: Cli,
  options: RotateOptions,
  changeWithRecord: ChangeWithRecord,
): Promise<Answer> {
  const { stderr } = cli.terminal;
  const { file, waitSeconds, accessTokenTtlSeconds, afterChange } = options;
  const steps: object[] = [];
  const makeStep = async (
    step: keyof typeof DONE,
    key: SigningKey,
    change: (keys: SigningKey[]) => SigningKey[],
  ) => {
    const left = await changeWithRecord(`signing_key_${step}`, (record) =>
      changeKeys(file, async (keys) => {
        const changed = change(keys);
        await record(key);
        return changed;
      }),
    );
    printText(stderr, `${DONE[step]} ${key.kid}`);
    steps.push({ step, kid: key.kid, at: new Date().toISOString() });
    await runAfterChange(cli, afterChange, left.length === 1);
  };

  const before = await loadKeys(file);
  let next = announcedKey(before, options.alg);
  let knownSince = 0;
  // A retiring key means that the new one already signs.
  if (next || before.some(({ status }) => status === "retiring")) {
    printText(stderr, "continuing the rotation that was interrupted");
    await runAfterChange(cli, afterChange);
    // The interrupted command may not have copied the file. It is copied only now, so the whole
    // wait starts again.
    if (afterChange !== undefined) knownSince = Date.now();
  } else {
    next = await generateKey(options.alg ?? "EdDSA", new Date());
    const key = next;
    await makeStep("generate", key, (keys) => announceKey(keys, key));
  }
  if (next) {
    const { kid, createdAt } = next;
    const since = Math.max(createdAt.getTime(), knownSince);
    await waitUntil(cli, since, waitSeconds, `key ${kid} signs`);
    await makeStep("activate", next, (keys) => activateKey(keys, kid, new Date()));
  }
  const after = await loadKeys(file);
  for (const former of after.filter(({ status }) => status === "retiring")) {
    const since = Math.max(former.retiringAt?.getTime() ?? Date.now(), knownSince);
    const seconds = accessTokenTtlSeconds + waitSeconds;
    await waitUntil(cli, since, seconds, `key ${former.kid} is removed`);
    await makeStep("retire", former, (keys) => removeRetiringKey(keys, former.kid));
  }
  const kid = after.find(({ status }) => status === "active")?.kid;
  return {
    json: { kid, status: "active", steps },
    text: `Key ${kid} signs, and the former key is removed.`,
  };
}

/**
 * The announced key of an unfinished rotation. @throws {SigningKeysError} WRONG_STATUS if its
 * algorithm is not `alg`
 */
function announcedKey(keys: readonly SigningKey[], alg: SigningAlgorithm | undefined) {
  const key = keys.find(({ status }) => status === "announced");
  if (!key || alg === undefined || key.alg === alg) return key;
  const problem = `key ${key.kid} (${key.alg}) is announced: continue without --alg, or remove it by 'partner-connect keys retire ${key.kid}'`;
  throw new SigningKeysError("WRONG_STATUS", problem);
}

/**
 * Seconds left of a wait that began at `since`. `since` and `now` are in milliseconds. A clock that
 * was set back does not prolong the wait.
 */
export function secondsLeft(since: number, seconds: number, now: number): number {
  return Math.min(since / 1000 + seconds - now / 1000, seconds);
}

/** @param purpose the step after the wait */
async function waitUntil({ terminal }: Cli, since: number, seconds: number, purpose: string) {
  const left = secondsLeft(since, seconds, Date.now());
  if (left <= 0) return;
  printText(
    terminal.stderr,
    `waiting ${Math.ceil(left)} s before ${purpose}; if interrupted, run the same command again`,
  );
  await sleep(left * 1000);
}

/** Runs the command of `--after-change`. Its output goes to stderr; stdout is for the answer. */
async function runAfterChange({ terminal }: Cli, command: string | undefined, isComplete = false) {
  if (command === undefined) return;
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (text) => terminal.stderr.write(text));
  child.stderr.on("data", (text) => terminal.stderr.write(text));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  throw new OperatorError(`the command of --after-change failed (${signal ?? `exit ${code}`})`, {
    code: "AFTER_CHANGE_FAILED",
    hint: isComplete
      ? "the rotation is complete; run only the command of --after-change again"
      : "the file is changed; run the rotation again to repeat the command and continue",
  });
}
