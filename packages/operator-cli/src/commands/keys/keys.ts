import type { SigningAlgorithm } from "@partner-connect/access-token";
import { type Command, Option } from "commander";
import { type Answer, answer } from "../../answer.ts";
import { type Consent, carryOut, destructive } from "../../confirm.ts";
import type { Context } from "../../context.ts";
import { examples } from "../../examples.ts";
import { present } from "../../present.ts";
import { commandGroup } from "../command-group.ts";
import { keyJson, keyTable, nextStep, stepAnswer } from "./keys-answer.ts";
import { type RecordKey, recorded, WITHOUT_AUDIT } from "./keys-record.ts";

type Step = "announce" | "activate" | "retire";

export function addKeysCommands(program: Command, context: Context): void {
  const keys = commandGroup(program, "keys", "The keys that sign access tokens, and their rotation", () => ROTATION);
  addGenerate(keys, context);
  addStep(keys, context, "announce", "Publish a key, so that every resource server knows it before it signs");
  addStep(
    keys,
    context,
    "activate",
    "Sign with an announced key, from the next restart of the authorization servers on",
    {
      force: "don't wait until every cached JWKS has the key: tokens signed with it may be refused for minutes",
    },
  );
  addStep(keys, context, "retire", "Remove a key for good, once its last token has expired", {
    force: "don't wait for that: access tokens that it signed are refused at once",
  });
  keys
    .command("list")
    .description("List the keys with their status")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async () => {
        const { loadKeys } = await import("@partner-connect/signing-keys");
        const found = await loadKeys(context.config.signingKeysFile);
        return { json: found.map(keyJson), text: keyTable(found) };
      }),
    );
}

function addGenerate(keys: Command, context: Context): void {
  keys
    .command("generate")
    .description("Generate a key. The first one makes the file too, and is active at once")
    .addOption(
      new Option("--alg <algorithm>", "EdDSA (Ed25519) is the fastest; ES256 is for tools without EdDSA")
        .choices(["EdDSA", "ES256"])
        .default("EdDSA"),
    )
    .option(...WITHOUT_AUDIT)
    .addHelpText("after", WHOLE)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ alg, ...options }: { alg: SigningAlgorithm; withoutAudit?: boolean }) => {
        const { addKey } = await import("@partner-connect/signing-keys");
        return await recorded(context, "signing_key_generate", options, async (record) => {
          const key = await addKey(context.config.signingKeysFile, alg, record);
          return { json: keyJson(key), text: `Generated key ${key.kid}, which is ${key.status}.\n\n${nextStep(key)}` };
        });
      }),
    );
}

interface StepOptions {
  readonly force?: boolean;
  readonly withoutAudit?: boolean;
}

function addStep(keys: Command, context: Context, step: Step, description: string, risk?: { force: string }): void {
  const command = keys.command(step).description(description).argument("<kid>", "the key's id, from 'keys list'");
  if (risk) command.option("--force", risk.force);
  if (step === "retire") destructive(command);
  const take = (kid: string, { force = false, ...options }: StepOptions) =>
    recorded(context, `signing_key_${step}`, options, (record) => takeStep(context, step, kid, force, record));
  command
    .option(...WITHOUT_AUDIT)
    .addHelpText("after", WHOLE)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async (kid: string, { yes, dryRun, ...options }: StepOptions & Consent) => {
        if (step !== "retire") return await take(kid, options);
        const effects = await retireEffects(context, kid, options.force ?? false);
        return await carryOut(context, { yes, dryRun }, effects, () => take(kid, options));
      }),
    );
}

/** Refuses what the step itself would refuse, before anybody is asked. */
async function retireEffects({ config }: Context, kid: string, force: boolean): Promise<string[]> {
  const { loadKeys, retireKey } = await import("@partner-connect/signing-keys");
  const { accessTokenTtlSeconds } = config;
  const keys = await loadKeys(config.signingKeysFile);
  retireKey(keys, kid, present(), { force, ...(accessTokenTtlSeconds !== undefined && { accessTokenTtlSeconds }) });
  const tokens = force ? ": access tokens that it signed and that are still valid will be refused" : "";
  return [`Key ${kid} (${keys.find((key) => key.kid === kid)?.status}) will be removed for good${tokens}.`];
}

async function takeStep(
  { config }: Context,
  step: Step,
  kid: string,
  force: boolean,
  record: RecordKey,
): Promise<Answer> {
  const { activateKey, announceKey, changeKeys, retireKey } = await import("@partner-connect/signing-keys");
  const { accessTokenTtlSeconds } = config;
  const options = { force, ...(accessTokenTtlSeconds !== undefined && { accessTokenTtlSeconds }) };
  const changed = await changeKeys(config.signingKeysFile, async (current) => {
    const take = { announce: announceKey, activate: activateKey, retire: retireKey }[step];
    const next = take(current, kid, present(), options);
    const key = current.find((each) => each.kid === kid);
    if (key) await record(key, force);
    return next;
  });
  return stepAnswer(
    kid,
    changed.find((key) => key.kid === kid),
  );
}

const EXAMPLES = examples(`
  $ partner-connect keys generate
  $ partner-connect keys generate --alg ES256
  $ partner-connect keys announce mBq3…
  $ partner-connect keys activate mBq3…
  $ partner-connect keys retire a7Xk… --dry-run
  $ partner-connect keys list`);

const WHOLE = `
'partner-connect keys --help' has the order of a rotation.`;

const ROTATION = `
SIGNING_KEYS_FILE names the file (default: signing-keys.json in DATA_DIR). A rotation that refuses no token:
  1. $ partner-connect keys generate               makes a key, which is not published yet
  2. $ partner-connect keys announce <kid>         then restart the authorization servers one by one
  3. wait 300 s after the last restart: a JWKS may be cached for so long
  4. $ partner-connect keys activate <kid>         then restart them one by one again
  5. wait 960 s after the last restart: an access token's lifetime, and what clocks may differ by
  6. $ partner-connect keys retire <former kid>    then restart them one by one
Activating the former key again undoes a rotation at any time before its last step.`;
