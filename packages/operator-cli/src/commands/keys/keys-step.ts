import type { AskedReplicas } from "@partner-connect/signing-keys";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { askReplicas, findReplicas, type ReplicaOptions, takesReplicas } from "../../replicas/ask-replicas.ts";
import { type Answer, answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import {
  fileOf,
  type KeysFileOption,
  lifetimesOf,
  type SkewOption,
  stepAnswer,
  takesClockSkew,
} from "./keys-answer.ts";
import { recorded } from "./keys-record.ts";

interface StepOptions extends KeysFileOption, ReplicaOptions, SkewOption {
  readonly force?: boolean;
  readonly withoutAudit?: boolean;
}

export function addAnnounce(keys: Command, context: Context): Command {
  return step(keys, "announce", "Publish a key, so that every resource server knows it before it signs").action(
    answer(context, (kid: string, options: StepOptions) => take(context, "announce", kid, options)),
  );
}

export function addActivate(keys: Command, context: Context): Command {
  const command = step(keys, "activate", "Sign with an announced key, once every replica knows it");
  return takesReplicas(command)
    .option("--force", "don't wait until every replica has the key: tokens signed with it may be refused for minutes")
    .action(
      answer(context, async (kid: string, options: StepOptions) => {
        const asked = await askReplicas(await findReplicas(context.config, options));
        return await take(context, "activate", kid, options, asked);
      }),
    );
}

export function addRetire(keys: Command, context: Context): Command {
  const command = destructive(step(keys, "retire", "Remove a key for good, once its last token has expired"));
  return takesClockSkew(takesReplicas(command))
    .option("--force", "don't wait for that: access tokens that it signed are refused at once")
    .action(
      answer(context, async (kid: string, { yes, dryRun, ...options }: StepOptions & Consent) => {
        const asked = await askReplicas(await findReplicas(context.config, options));
        const effects = await retireEffects(context, kid, options, asked);
        return await carryOut(context, { yes, dryRun }, effects, () => take(context, "retire", kid, options, asked));
      }),
    );
}

function step(keys: Command, name: string, description: string): Command {
  return keys.command(name).description(description).argument("<kid>", "the key's id, from 'keys list'");
}

/** Refuses what the step itself would refuse, before anybody is asked. */
async function retireEffects(
  context: Context,
  kid: string,
  options: StepOptions,
  asked: AskedReplicas,
): Promise<string[]> {
  const { loadKeys, retireKey } = await import("@partner-connect/signing-keys");
  const { force = false } = options;
  const keys = await loadKeys(fileOf(context, options));
  retireKey(keys, kid, new Date(), { force, asked, ...lifetimesOf(context, options) });
  const tokens = force ? ": access tokens that it signed and that are still valid will be refused" : "";
  return [`Key ${kid} (${keys.find((key) => key.kid === kid)?.status}) will be removed for good${tokens}.`];
}

export async function take(
  context: Context,
  name: "announce" | "activate" | "retire",
  kid: string,
  options: StepOptions,
  asked?: AskedReplicas,
): Promise<Answer> {
  const { activateKey, announceKey, changeKeys, retireKey } = await import("@partner-connect/signing-keys");
  const { force = false } = options;
  return await recorded(context, `signing_key_${name}`, options, async (record) => {
    const changed = await changeKeys(fileOf(context, options), async (current) => {
      const next = { announce: announceKey, activate: activateKey, retire: retireKey }[name](current, kid, new Date(), {
        force,
        ...(asked && { asked }),
        ...lifetimesOf(context, options),
      });
      const key = current.find((each) => each.kid === kid);
      if (key) await record(key, force);
      return next;
    });
    return stepAnswer(
      kid,
      changed.find((key) => key.kid === kid),
    );
  });
}
