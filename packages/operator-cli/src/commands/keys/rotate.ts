import { spawn } from "node:child_process";
import { once } from "node:events";
import type { SigningAlgorithm } from "@partner-connect/contract";
import {
  changeKeys,
  generateKey,
  loadKeys,
  nextRotationStep,
  type RotationStep,
  rotationUnderWay,
  SigningKeysError,
} from "@partner-connect/signing-keys";
import type { Answer } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import type { Replica } from "../../run/stack.ts";
import { say } from "../../terminal/screen.ts";
import { fileOf, type KeysFileOption, type SkewOption } from "./keys-answer.ts";
import { recorded } from "./keys-record.ts";
import { take } from "./keys-step.ts";
import { untilSafe } from "./until-safe.ts";

export interface RotateOptions extends KeysFileOption, SkewOption {
  readonly alg?: SigningAlgorithm;
  readonly afterChange?: string;
  readonly withoutAudit?: boolean;
  readonly replicas: readonly Replica[];
}

interface Taken {
  readonly step: Exclude<RotationStep["step"], "done">;
  readonly kid: string;
  readonly at: string;
}

/** Takes the steps that are left, each when it is safe. All that it knows is in the file, so it may be cut off anywhere. */
export async function rotate(context: Context, options: RotateOptions): Promise<Answer> {
  const file = fileOf(context, options);
  const tell = (line: string) => say(context.terminal.stderr, line);
  const taken: Taken[] = [];
  let note: string | undefined;
  let target = rotationUnderWay(await loadKeys(file), options.alg)?.kid ?? null;
  if (target !== null) {
    tell(`going on with the rotation to key ${target}`);
    // Who was cut off may not have brought the file to the servers.
    await runAfterChange(context, options.afterChange);
  }
  for (;;) {
    const next = nextRotationStep(await loadKeys(file), target);
    if (next.step === "done") break;
    if (next.step === "generate") {
      const made = await generate(context, options);
      target = made.kid;
      note = made.note ?? note;
    } else {
      const asked = await untilSafe(context, options, next, tell);
      note = (await take(context, next.step, next.key.kid, options, asked)).note ?? note;
    }
    const kid = next.step === "generate" ? (target ?? "") : next.key.kid;
    tell(`${DONE[next.step]} ${kid}`);
    taken.push({ step: next.step, kid, at: new Date().toISOString() });
    await runAfterChange(context, options.afterChange);
  }
  return {
    json: { kid: target, status: "active", steps: taken },
    text: `Key ${target} signs, and no former key is left.`,
    note,
  };
}

const DONE = {
  generate: "generated key",
  announce: "announced key",
  activate: "activated key",
  retire: "retired key",
} as const;

async function generate(context: Context, options: RotateOptions): Promise<{ kid: string; note: string | undefined }> {
  const key = await generateKey(options.alg ?? "EdDSA", new Date());
  const { note } = await recorded(context, "signing_key_generate", options, async (record) => {
    await changeKeys(fileOf(context, options), async (keys) => {
      // Somebody else may have begun a rotation since we looked.
      if (keys.some(({ status }) => status !== "active")) {
        throw new SigningKeysError(
          "WRONG_STATUS",
          "another rotation has begun at this moment: the same command goes on with it",
        );
      }
      await record(key);
      return [...keys, key];
    });
    return { json: null, text: "" };
  });
  return { kid: key.kid, note };
}

/** Runs the operator's command after a change of the file. What it prints goes to stderr, as stdout is ours. */
async function runAfterChange({ terminal }: Context, command: string | undefined): Promise<void> {
  if (command === undefined) return;
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (text) => terminal.stderr.write(text));
  child.stderr.on("data", (text) => terminal.stderr.write(text));
  const [code, signal] = await once(child, "close");
  if (code === 0) return;
  throw new OperatorError(`the command of --after-change failed (${signal ?? `exit ${code}`})`, {
    code: "AFTER_CHANGE_FAILED",
    hint: "the file is changed; the same command runs it again and goes on",
  });
}
