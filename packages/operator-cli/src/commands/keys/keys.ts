import type { SigningAlgorithm } from "@partner-connect/contract";
import { type Command, Option } from "commander";
import { examples } from "../../options/confirm.ts";
import { answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import {
  agedKeyJson,
  fileOf,
  type KeysFileOption,
  keyTable,
  nextStep,
  stepAnswer,
  takesKeysFile,
} from "./keys-answer.ts";
import { recorded, WITHOUT_AUDIT } from "./keys-record.ts";
import { addRotate } from "./keys-rotate.ts";
import { addActivate, addAnnounce, addRetire } from "./keys-step.ts";

export function addKeysCommands(program: Command, context: Context): void {
  const keys = program
    .command("keys")
    .description("The keys that sign access tokens, and their rotation")
    .addHelpText("after", ROTATION);
  const commands = [
    addRotate(keys, context),
    addGenerate(keys, context),
    addAnnounce(keys, context),
    addActivate(keys, context),
    addRetire(keys, context),
    addList(keys, context),
  ];
  for (const command of commands) {
    takesKeysFile(command);
    if (command.name() !== "list") command.option(...WITHOUT_AUDIT).addHelpText("after", WHOLE);
    command.addHelpText("after", EXAMPLES);
  }
}

function addList(keys: Command, context: Context): Command {
  return keys
    .command("list")
    .description("List the keys with their status and age")
    .action(
      answer(context, async (options: KeysFileOption) => {
        const { isOldKey, keyAge, loadKeys } = await import("@partner-connect/signing-keys");
        const now = new Date();
        const aged = (await loadKeys(fileOf(context, options))).map((key) => {
          return { key, ageSeconds: Math.floor(keyAge(key, now) / 1000), isOld: isOldKey(key, now) };
        });
        return { json: aged.map(agedKeyJson), text: keyTable(aged) };
      }),
    );
}

interface GenerateOptions extends KeysFileOption {
  readonly alg: SigningAlgorithm;
  readonly withoutAudit?: boolean;
}

function addGenerate(keys: Command, context: Context): Command {
  return keys
    .command("generate")
    .description("Generate a key. The first one makes the file too, and is active at once")
    .addOption(
      new Option("--alg <algorithm>", "EdDSA (Ed25519) is the fastest; ES256 is for tools without EdDSA")
        .choices(["EdDSA", "ES256"])
        .default("EdDSA"),
    )
    .action(
      answer(context, async ({ alg, ...options }: GenerateOptions) => {
        const { addKey } = await import("@partner-connect/signing-keys");
        return await recorded(context, "signing_key_generate", options, async (record) => {
          const key = await addKey(fileOf(context, options), alg, record);
          const { json } = stepAnswer(key.kid, key);
          return { json, text: `Generated key ${key.kid}, which is ${key.status}.\n\n${nextStep(key)}` };
        });
      }),
    );
}

const EXAMPLES = examples(`
  $ partner-connect keys rotate
  $ partner-connect keys rotate --replica http://10.0.0.7:9000 --replica http://10.0.0.8:9000
  $ partner-connect keys generate --alg ES256
  $ partner-connect keys announce mBq3…
  $ partner-connect keys activate mBq3…
  $ partner-connect keys retire a7Xk… --dry-run
  $ partner-connect keys list`);

const WHOLE = `
'partner-connect keys --help' has the order of a rotation.`;

const ROTATION = `
SIGNING_KEYS_FILE or --keys-file names the file (default: signing-keys.json in DATA_DIR). The authorization servers notice
by themselves that it has changed. 'keys rotate' does all of this, and refuses no token:
  1. $ partner-connect keys generate               makes a key, which is not published yet
  2. $ partner-connect keys announce <kid>         publishes it
  3. wait until every authorization server publishes it and every resource server knows it
  4. $ partner-connect keys activate <kid>         lets it sign
  5. wait until no authorization server signs with the former key and its last access token has expired
  6. $ partner-connect keys retire <former kid>    removes it
Each step asks the replicas (--replica, REPLICAS; a local stack's are found), and refuses with their names until it is safe.
Where none is known it waits as long as it can ever take: 420 s after the announcement, 1080 s after the activation.
Activating the former key again undoes a rotation at any time before its last step.`;
