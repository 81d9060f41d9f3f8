import { resolve } from "node:path";
import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS, type SigningAlgorithm } from "@partner-connect/contract";
import type { SigningKey } from "@partner-connect/signing-keys";
import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive, examples } from "../../options/confirm.ts";
import { wholeNumber } from "../../options/values.ts";
import { type Answer, answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import type { Style } from "../../terminal/screen.ts";
import { extraColumn, table } from "../../terminal/table.ts";
import { recorded, WITHOUT_AUDIT } from "./keys-record.ts";

interface KeysFileOption {
  readonly keysFile?: string;
}

interface ChangeOptions extends KeysFileOption {
  readonly alg?: SigningAlgorithm;
  readonly withoutAudit?: boolean;
}

export function addKeysCommands(program: Command, context: Context): void {
  const keys = program
    .command("keys")
    .description("The keys that sign access tokens, and their rotation")
    .addHelpText("after", HELP);
  for (const command of [addRotate(keys, context), addGenerate(keys, context), addRetire(keys, context)]) {
    command
      .option(...WITHOUT_AUDIT)
      .addOption(
        new Option(
          "--alg <algorithm>",
          "of a new key (default: EdDSA, the fastest); ES256 is for tools without EdDSA",
        ).choices(["EdDSA", "ES256"]),
      );
  }
  addList(keys, context);
  for (const command of keys.commands) {
    command.option("--keys-file <path>", "the file of signing keys (default: SIGNING_KEYS_FILE)");
    command.addHelpText("after", EXAMPLES);
  }
}

function fileOf({ config }: Context, { keysFile }: KeysFileOption): string {
  return keysFile === undefined ? config.signingKeysFile : resolve(config.workingDirectory, keysFile);
}

function addGenerate(keys: Command, context: Context): Command {
  return keys
    .command("generate")
    .description("Make the file of signing keys with its first key, which is active at once")
    .action(
      answer(context, async ({ alg = "EdDSA", ...options }: ChangeOptions) => {
        const { createSigningKeysFile, SigningKeysError } = await import("@partner-connect/signing-keys");
        const file = fileOf(context, options);
        return await recorded(context, "signing_key_generate", options, async (record) => {
          const key = await createSigningKeysFile(file, alg, record);
          if (key) return { json: keyJson(key), text: `Generated key ${key.kid}, which signs.` };
          throw new SigningKeysError(
            "SIGNING_KEYS_EXIST",
            `${file} exists: 'partner-connect keys rotate' replaces its key`,
          );
        });
      }),
    );
}

function addRotate(keys: Command, context: Context): Command {
  const command = keys
    .command("rotate")
    .description("Replace the key that signs, without refusing a token. If interrupted, the same command continues")
    .option("--after-change <command>", "run by the shell after each change of the file, to copy it to the servers")
    .option(
      "--wait <seconds>",
      "how long servers may take to get a changed file and its public keys (default: 300)",
      (text: string) => wholeNumber(text, "--wait", { min: 0, max: 86_400 }),
    );
  return destructive(command).action(
    answer(context, async ({ yes, dryRun, wait = 300, ...options }: RotateFlags) => {
      const { rotate, rotationEffects } = await import("./rotate.ts");
      const rotation = {
        ...options,
        file: fileOf(context, options),
        waitSeconds: wait,
        accessTokenTtlSeconds: context.config.accessTokenTtlSeconds ?? DEFAULT_ACCESS_TOKEN_TTL_SECONDS,
      };
      return await carryOut(context, { yes, dryRun }, await rotationEffects(rotation), () => rotate(context, rotation));
    }),
  );
}

type RotateFlags = ChangeOptions & Consent & { readonly wait?: number; readonly afterChange?: string };

function addRetire(keys: Command, context: Context): Command {
  const command = keys
    .command("retire")
    .description(
      "Remove a leaked key at once: access tokens that it signed are refused. If it signs, another key takes over",
    )
    .argument("<kid>", "the key's id, from 'keys list'");
  return destructive(command).action(
    answer(context, async (kid: string, { yes, dryRun, ...options }: ChangeOptions & Consent) => {
      const { generateKey, loadKeys, retireLeakedKey } = await import("@partner-connect/signing-keys");
      const file = fileOf(context, options);
      const now = new Date();
      const choice = { replacement: await generateKey(options.alg ?? "EdDSA", now), now };
      const before = await loadKeys(file);
      const signer = activeKid(retireLeakedKey(before, kid, choice));
      const effects = [
        `Key ${kid} will be removed: resource servers refuse its access tokens within a minute, and partners refresh.`,
        ...(signer === activeKid(before) ? [] : [`Key ${signer} will sign.`]),
      ];
      return await carryOut(context, { yes, dryRun }, effects, () => retire(context, options, file, kid, choice));
    }),
  );
}

async function retire(
  context: Context,
  options: ChangeOptions,
  file: string,
  kid: string,
  choice: { readonly replacement: SigningKey; readonly now: Date },
): Promise<Answer> {
  const { changeKeys, retireLeakedKey } = await import("@partner-connect/signing-keys");
  return await recorded(context, "signing_key_retire", options, async (record) => {
    const changed = await changeKeys(file, async (keys) => {
      const next = retireLeakedKey(keys, kid, choice);
      const leaked = keys.find((key) => key.kid === kid);
      if (leaked) await record(leaked);
      return next;
    });
    const active = activeKid(changed);
    return { json: { kid, status: "retired", active }, text: `Key ${kid} is removed. Key ${active} signs.` };
  });
}

function activeKid(keys: readonly SigningKey[]): string | undefined {
  return keys.find(({ status }) => status === "active")?.kid;
}

const DAY_SECONDS = 24 * 60 * 60;
const EXTRAS = ["ACTIVATED", "RETIRING", "CREATED"].map(extraColumn);
const STYLES: Readonly<Record<SigningKey["status"], Style>> = {
  announced: "cyan",
  active: "green",
  retiring: "yellow",
};

function addList(keys: Command, context: Context): void {
  keys
    .command("list")
    .description("List the keys with their status and age")
    .action(
      answer(context, async (options: KeysFileOption) => {
        const { isOldKey, keyAge, loadKeys } = await import("@partner-connect/signing-keys");
        const now = new Date();
        const found = await loadKeys(fileOf(context, options));
        const rows = found.map((key) => {
          const age = `${Math.floor(keyAge(key, now) / 1000 / DAY_SECONDS)} d`;
          return [
            key.kid,
            key.alg,
            { text: key.status, style: STYLES[key.status] },
            isOldKey(key, now) ? { text: age, style: "yellow" as const } : age,
            key.activatedAt,
            key.retiringAt,
            key.createdAt,
          ];
        });
        return {
          json: found.map((key) => ({ ...keyJson(key), age_seconds: Math.floor(keyAge(key, now) / 1000) })),
          text: table(["KID", "ALG", "STATUS", "AGE", ...EXTRAS], rows, "There are no keys."),
        };
      }),
    );
}

function keyJson(key: SigningKey) {
  return {
    kid: key.kid,
    alg: key.alg,
    status: key.status,
    created_at: key.createdAt.toISOString(),
    activated_at: key.activatedAt?.toISOString() ?? null,
    retiring_at: key.retiringAt?.toISOString() ?? null,
  };
}

const EXAMPLES = examples(`
  $ partner-connect keys generate
  $ partner-connect keys rotate
  $ partner-connect keys rotate --wait 420 --keys-file signing-keys.json --after-change './copy-to-servers'
  $ partner-connect keys retire a7Xk… --dry-run
  $ partner-connect keys list`);

const HELP = `
SIGNING_KEYS_FILE or --keys-file names the file (default: signing-keys.json in DATA_DIR). The authorization servers notice a
changed file within two seconds. 'keys rotate' publishes a new key, waits until every server knows it (--wait), lets it sign, waits
until the last access token of the former key has expired (ACCESS_TOKEN_TTL_SECONDS plus --wait), and removes the former key.`;
