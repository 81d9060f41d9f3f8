import type { SigningAlgorithm } from "@partner-connect/access-token";
import type { SigningKey } from "@partner-connect/signing-keys";
import { type Command, Option } from "commander";
import { type Answer, answer, table } from "../answer.ts";
import type { Context } from "../context.ts";

type Step = "announce" | "activate" | "retire";

export function addKeysCommands(program: Command, context: Context): void {
  const keys = program
    .command("keys")
    .description("The keys that sign access tokens, and their rotation")
    .addHelpText("after", HELP);
  addGenerate(keys, context);
  addStep(keys, context, "announce", "Publish a key, so that everybody learns it before it signs");
  addStep(keys, context, "activate", "Let an announced key sign from the next restart on", {
    force: "don't wait until every cached JWKS has the key: tokens signed with it may be refused for minutes",
  });
  addStep(keys, context, "retire", "Remove a key for good, when its last token has expired", {
    force: "don't wait for that: access tokens that it signed are refused at once",
  });
  keys
    .command("list")
    .description("List the keys and where each stands")
    .addHelpText("after", HELP)
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
    .description("Make a key; the first one, which also makes the file, is active at once")
    .addOption(
      new Option("--alg <algorithm>", "EdDSA (Ed25519) is fastest; ES256 for tools that know no EdDSA")
        .choices(["EdDSA", "ES256"])
        .default("EdDSA"),
    )
    .addHelpText("after", HELP)
    .action(
      answer(context, async ({ alg }: { alg: SigningAlgorithm }) => {
        const { addKey } = await import("@partner-connect/signing-keys");
        const key = await addKey(context.config.signingKeysFile, alg);
        return { json: keyJson(key), text: `Generated key ${key.kid}, which is ${key.status}.\n\n${nextStep(key)}` };
      }),
    );
}

function addStep(keys: Command, context: Context, step: Step, description: string, risk?: { force: string }): void {
  const command = keys.command(step).description(description).argument("<kid>", "the key's id, from 'keys list'");
  if (risk) command.option("--force", risk.force);
  command.addHelpText("after", HELP).action(
    answer(context, async (kid: string, { force = false }: { force?: boolean }) => {
      const signingKeys = await import("@partner-connect/signing-keys");
      const { accessTokenTtlSeconds } = context.config;
      const options = { force, ...(accessTokenTtlSeconds !== undefined && { accessTokenTtlSeconds }) };
      const changed = await signingKeys.changeKeys(context.config.signingKeysFile, (current) => {
        if (step === "announce") return signingKeys.announceKey(current, kid, new Date());
        if (step === "activate") return signingKeys.activateKey(current, kid, new Date(), options);
        return signingKeys.retireKey(current, kid, new Date(), options);
      });
      return stepAnswer(
        kid,
        changed.find((key) => key.kid === kid),
      );
    }),
  );
}

function stepAnswer(kid: string, key: SigningKey | undefined): Answer {
  if (key) return { json: keyJson(key), text: `Key ${kid} is ${key.status}.\n\n${nextStep(key)}` };
  return {
    json: { kid, status: "retired" },
    text: `Key ${kid} is removed.\n\nNext: restart the authorization servers one by one, so that they stop publishing it.`,
  };
}

function nextStep({ kid, status }: SigningKey): string {
  if (status === "generated") return `Next: partner-connect keys announce ${kid}`;
  const restart = "Next: restart the authorization servers one by one";
  if (status === "announced") return `${restart}; 300 s after the last one: partner-connect keys activate ${kid}`;
  return `${restart}; 960 s after the last one, retire the keys that are then 'retiring' (partner-connect keys list).`;
}

function keyTable(keys: readonly SigningKey[]): string {
  const time = (date: Date | null) => date?.toISOString() ?? "-";
  return table(
    ["KID", "ALG", "STATUS", "CREATED", "ANNOUNCED", "ACTIVATED", "RETIRING"],
    keys.map((key) => [
      key.kid,
      key.alg,
      key.status,
      time(key.createdAt),
      time(key.announcedAt),
      time(key.activatedAt),
      time(key.retiringAt),
    ]),
    "There are no keys.",
  );
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

const HELP = `
SIGNING_KEYS_FILE names the file (default: signing-keys.json in DATA_DIR). A rotation without one refused token:
  1. $ partner-connect keys generate               makes a key that nobody knows of
  2. $ partner-connect keys announce <kid>         then restart the authorization servers one by one
  3. wait 300 s after the last restart, the age that a JWKS may be cached for
  4. $ partner-connect keys activate <kid>         then restart them one by one again
  5. wait 960 s after the last restart: an access token's life, and what clocks may differ by
  6. $ partner-connect keys retire <former kid>    then restart them one by one
Activating the former key again undoes a rotation at any time before its last step.`;
