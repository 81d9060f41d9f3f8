import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import {
  changeKeys,
  createSigningKeysFile,
  generateKey,
  isOldKey,
  keyAge,
  loadKeys,
  retireLeakedKey,
  type SigningKey,
  SigningKeysError,
} from "@partner-connect/signing-keys";
import { type Cli, YES } from "../cli.ts";
import { explain, OperatorError } from "../errors.ts";
import { jsonOf, printText, table } from "../print.ts";
import { isStackConfigured } from "../stack.ts";
import { wholeNumberParser } from "../values.ts";
import { type ChangeWithRecord, rotate } from "./keys-rotate.ts";

const ALGORITHM = new Option(
  "--alg <algorithm>",
  "of a new key (default: EdDSA, which is faster); ES256 is for tools without EdDSA",
).choices(["EdDSA", "ES256"] as const);
const WITHOUT_AUDIT = [
  "--without-audit",
  "continue even if the change can't be recorded in the audit log",
] as const;
const WAIT = "how long a changed file may take to reach all servers (default: 300)";
const DAY_MS = 24 * 60 * 60 * 1000;

export default function addKeysCommands(keys: Command, cli: Cli): void {
  const file = cli.config.signingKeysFile;
  keys.addHelpText("after", HELP);
  const generateCommand = keys
    .command("generate")
    .description("Create the signing keys file with one key, which is active immediately")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT);
  cli.setAction(generateCommand, async ({ alg = "EdDSA", withoutAudit }) => {
    const { changeWithRecord, note } = await auditRecorder(cli, withoutAudit);
    return await changeWithRecord("signing_key_generate", async (record) => {
      const key = await createSigningKeysFile(file, alg, record);
      if (key) return { json: keyJson(key), text: `Generated key ${key.kid}, which signs.`, note };
      const problem = `${file} exists: to replace its key, run 'partner-connect keys rotate'; if it is damaged, restore its backup`;
      throw new SigningKeysError("SIGNING_KEYS_EXIST", problem);
    });
  });
  const rotateCommand = keys
    .command("rotate")
    .description("Replace the active key without refusing a token; if interrupted, run it again")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT)
    .option(
      "--after-change <command>",
      "a shell command that copies the file to the servers, run after each change of it",
    )
    .option("--wait <seconds>", WAIT, wholeNumberParser("--wait", { min: 0, max: 86_400 }))
    .option(...YES);
  cli.setAction(
    rotateCommand,
    async ({ yes, alg, afterChange, wait: waitSeconds = 300, withoutAudit }) => {
      const accessTokenTtlSeconds =
        cli.config.ACCESS_TOKEN_TTL_SECONDS ?? DEFAULT_ACCESS_TOKEN_TTL_SECONDS;
      const rotation = { file, alg, afterChange, waitSeconds, accessTokenTtlSeconds };
      const minutes = Math.ceil((waitSeconds * 2 + accessTokenTtlSeconds) / 60);
      await cli.confirm({ yes }, [
        "A new key will be published and then sign; an unfinished rotation is continued.",
        `The former key will be removed when its last access token has expired. This takes up to ${minutes} minutes.`,
      ]);
      const { changeWithRecord, note } = await auditRecorder(cli, withoutAudit);
      return { ...(await rotate(cli, rotation, changeWithRecord)), note };
    },
  );
  const retireCommand = keys
    .command("retire")
    .description(
      "Remove a leaked key at once or, if it is active, within three minutes, after another key is published. Access tokens that it signed are refused",
    )
    .argument("<kid>", "the key's id, from 'keys list'")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT)
    .option(...YES);
  cli.setAction(retireCommand, async (kid, { yes, alg = "EdDSA", withoutAudit }) => {
    const now = new Date();
    const choice = { replacement: await generateKey(alg, now), now };
    const before = await loadKeys(file);
    const signer = activeKid(retireLeakedKey(before, kid, choice));
    await cli.confirm({ yes }, [
      `Key ${kid} will be removed: resource servers refuse its access tokens within a minute, on Kubernetes within about five, and partners refresh.`,
      ...(signer === activeKid(before) ? [] : [`Key ${signer} will sign once it is published.`]),
    ]);
    const { changeWithRecord, note } = await auditRecorder(cli, withoutAudit);
    if (signer === choice.replacement.kid) {
      await changeWithRecord("signing_key_generate", async (record) => {
        await record(choice.replacement);
        await changeKeys(file, (keys) => [...keys, choice.replacement]);
      });
    }
    if (signer !== activeKid(before)) await waitUntilPublished(cli, signer);
    return await changeWithRecord("signing_key_retire", async (record) => {
      const changed = await changeKeys(file, async (keys) => {
        const next = retireLeakedKey(keys, kid, choice);
        const leaked = keys.find((key) => key.kid === kid);
        if (leaked) await record(leaked);
        return next;
      });
      const active = activeKid(changed);
      return {
        json: { kid, status: "retired", active },
        text: `Key ${kid} is removed. Key ${active} signs.`,
        note,
      };
    });
  });
  const listCommand = keys.command("list").description("List the keys with their status and age");
  cli.setAction(listCommand, async () => {
    const now = new Date();
    const found = await loadKeys(file);
    const rows = found.map((key) => {
      const age = `${Math.floor(keyAge(key, now) / DAY_MS)} d${isOldKey(key, now) ? ", old: rotate it" : ""}`;
      return [key.kid, key.alg, key.status, age];
    });
    return {
      json: found.map((key) => ({
        ...keyJson(key),
        age_seconds: Math.floor(keyAge(key, now) / 1000),
      })),
      text: table(["KID", "ALG", "STATUS", "AGE"], rows, "There are no keys."),
    };
  });
}

function activeKid(keys: readonly SigningKey[]): string | undefined {
  return keys.find(({ status }) => status === "active")?.kid;
}

/**
 * Waits, at most 180 s, until every authorization server publishes the key: a resource server that
 * fetches the keys from another one would refuse the key's tokens.
 */
async function waitUntilPublished({ config, terminal }: Cli, kid = ""): Promise<void> {
  const { findReplicas } = await import("./doctor/replicas.ts");
  const { openSystem, successfulAnswers } = await import("./doctor/system.ts");
  const { answers } = openSystem(config, await findReplicas(config));
  const end = Date.now() + 180_000;
  for (let isFirst = true; Date.now() < end; isFirst = false) {
    const reports = successfulAnswers(await answers("/keys")).map(({ text }) => JSON.parse(text));
    const lists = reports.flatMap(({ published }) => (published ? [published] : []));
    if (lists.length === 0) break;
    if (lists.every((published) => published.includes(kid))) return;
    const waiting = `waiting, at most 180 s, until every authorization server publishes key ${kid}; if interrupted, run the same command again`;
    if (isFirst) printText(terminal.stderr, waiting);
    await sleep(1000);
  }
  const unknown = `can't confirm that every authorization server publishes key ${kid}: until they do, its tokens may be refused`;
  printText(terminal.stderr, unknown);
}

const keyJson = (key: SigningKey) =>
  jsonOf(key, "kid", "alg", "status", "createdAt", "activatedAt", "retiringAt");

/**
 * Returns a function that changes the keys file and records the change; without a database, it only
 * changes the file, and `note` says so. The function throws {OperatorError} AUDIT_UNAVAILABLE:
 * nothing was changed; NOT_RECORDED: the file was changed.
 */
async function auditRecorder(
  cli: Cli,
  withoutAudit: true | undefined,
): Promise<{ changeWithRecord: ChangeWithRecord; note?: string }> {
  const reason = withoutAudit ? "--without-audit" : "no database is configured";
  if (withoutAudit || !(await isStackConfigured(cli.config))) {
    return {
      changeWithRecord: (_, change) => change(async () => {}),
      note: `note: not recorded in the audit log: ${reason}`,
    };
  }
  const [{ recordAudit }, { isDatabaseFault }] = await Promise.all([
    import("@partner-connect/audit"),
    import("@partner-connect/database"),
  ]);
  const changeWithRecord: ChangeWithRecord = async (action, change) => {
    let isWritten = false;
    try {
      return await cli.withDatabase(({ sql, actor }) =>
        sql.begin(async (tx) => {
          const changed = await change(({ kid, alg }) =>
            recordAudit(tx, { action, detail: { kid, alg } }, actor),
          );
          isWritten = true;
          return changed;
        }),
      );
    } catch (error) {
      // Rethrow other errors, such as refusals of the keys file, unchanged.
      const { name } = error instanceof Error ? error : new Error(String(error));
      if (name !== "PostgresError" && name !== "OperatorError" && !isDatabaseFault(error))
        throw error;
      const { message, hint } = await explain(error);
      if (isWritten) {
        const problem = `the keys file was changed, but the audit log may have no record of it: ${message}`;
        throw new OperatorError(problem, { code: "NOT_RECORDED" });
      }
      const problem = `the change can't be recorded in the audit log, so nothing was changed: ${message}`;
      throw new OperatorError(problem, {
        code: "AUDIT_UNAVAILABLE",
        hint: `${hint === null ? "" : `${hint}; `}--without-audit continues without a record`,
      });
    }
  };
  return { changeWithRecord };
}

const HELP = `
SIGNING_KEYS_FILE names the file (default: signing-keys.json in DATA_DIR). The authorization servers notice a changed file within two
seconds. 'keys rotate' publishes a new key, waits until every server has it (--wait), makes it sign, waits until the last access
token of the former key has expired (ACCESS_TOKEN_TTL_SECONDS plus --wait), and removes the former key.`;

export const EXAMPLES = `
  $ SIGNING_KEYS_FILE=signing-keys.json partner-connect keys rotate --wait 420 --after-change './copy-to-servers'
  $ partner-connect keys retire a7Xk…`;
