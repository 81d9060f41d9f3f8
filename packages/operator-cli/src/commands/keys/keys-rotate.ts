import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { findReplicas, type ReplicaOptions, takesReplicas } from "../../replicas/ask-replicas.ts";
import { answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { fileOf, takesClockSkew } from "./keys-answer.ts";
import type { RotateOptions } from "./rotate.ts";

export function addRotate(keys: Command, context: Context): Command {
  const command = keys
    .command("rotate")
    .description(
      "Replace the key that signs, and refuse no token: the whole rotation, with its waits. Interrupted at any moment, the same command goes on with it",
    )
    .addOption(new Option("--alg <algorithm>", "of the new key (default: EdDSA)").choices(["EdDSA", "ES256"]))
    .option("--after-change <command>", "run by the shell whenever the file has changed, to bring it to the servers");
  return destructive(takesClockSkew(takesReplicas(command))).action(
    answer(context, async ({ yes, dryRun, ...options }: Options) => {
      const replicas = await findReplicas(context.config, options);
      const effects = await rotationEffects(context, options, replicas.length);
      const { rotate } = await import("./rotate.ts");
      return await carryOut(context, { yes, dryRun }, effects, () => rotate(context, { ...options, replicas }));
    }),
  );
}

type Options = Omit<RotateOptions, "replicas"> & ReplicaOptions & Consent;

async function rotationEffects(context: Context, options: Options, replicas: number): Promise<string[]> {
  const { loadKeys, rotationUnderWay } = await import("@partner-connect/signing-keys");
  const keys = await loadKeys(fileOf(context, options));
  const target = rotationUnderWay(keys, options.alg);
  const former = keys.filter(
    ({ kid, status }) => kid !== target?.kid && (status === "active" || status === "retiring"),
  );
  const time =
    replicas > 0
      ? `${replicas} replicas are asked before each step.`
      : "No replica is known (--replica, REPLICAS): it waits as long as it can ever take, about 25 minutes.";
  return [
    target
      ? `Goes on with the rotation to key ${target.kid} (${target.status}).`
      : "A new key will be made and will sign.",
    `The former key (${former.map(({ kid }) => kid).join(", ")}) will be removed for good when its last access token has expired.`,
    time,
  ];
}
