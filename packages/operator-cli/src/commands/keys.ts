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
import { jsonOf, say, table } from "../print.ts";
import { namesStack } from "../stack.ts";
import { wholeNumber } from "../values.ts";
import { type Recorded, rotate } from "./keys-rotate.ts";

const ALGORITHM = new Option(
  "--alg <algorithm>",
  "of a new key (default: EdDSA, the fastest); ES256 is for tools without EdDSA",
).choices(["EdDSA", "ES256"] as const);
const WITHOUT_AUDIT = [
  "--without-audit",
  "continue even if the change can't be recorded in the audit log",
] as const;
const WAIT = "how long servers may take to get a changed file and its public keys (default: 300)";
const DAY_MS = 24 * 60 * 60 * 1000;

export default function addKeysCommands(keys: Command, cli: Cli): void {
  const file = cli.config.signingKeysFile;
  keys.addHelpText("after", HELP);
  const generateCommand = keys
    .command("generate")
    .description("Create the signing keys file with its first key, which is active immediately")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT);
  cli.answer(generateCommand, async ({ alg = "EdDSA", withoutAudit }) => {
    const { recorded, note } = await auditOf(cli, withoutAudit);
    return await recorded("signing_key_generate", async (record) => {
      const key = await createSigningKeysFile(file, alg, record);
      if (key) return { json: keyJson(key), text: `Generated key ${key.kid}, which signs.`, note };
      const problem = `${file} exists: if it is unusable, restore its backup; 'partner-connect keys rotate' replaces its key`;
      throw new SigningKeysError("SIGNING_KEYS_EXIST", problem);
    });
  });
  const rotateCommand = keys
    .command("rotate")
    .description("Replace the key that signs, without refusing a token; repeat it if interrupted")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT)
    .option(
      "--after-change <command>",
      "run by the shell after each change of the file, to copy it to the servers",
    )
    .option("--wait <seconds>", WAIT, wholeNumber("--wait", { min: 0, max: 86_400 }))
    .option(...YES);
  cli.answer(
    rotateCommand,
    async ({ yes, alg, afterChange, wait: waitSeconds = 300, withoutAudit }) => {
      const accessTokenTtlSeconds =
        cli.config.ACCESS_TOKEN_TTL_SECONDS ?? DEFAULT_ACCESS_TOKEN_TTL_SECONDS;
      const rotation = { file, alg, afterChange, waitSeconds, accessTokenTtlSeconds };
      const minutes = Math.ceil((waitSeconds * 2 + accessTokenTtlSeconds) / 60);
      await cli.confirm({ yes }, [
        "A new key will be published and will sign; a rotation that is under way is continued.",
        `The former key will be removed when its last access token has expired. It takes up to ${minutes} minutes.`,
      ]);
      const { recorded, note } = await auditOf(cli, withoutAudit);
      return { ...(await rotate(cli, rotation, recorded)), note };
    },
  );
  const retireCommand = keys
    .command("retire")
    .description(
      "Remove a leaked key at once, or within three minutes if it signs: then another key is published first and takes over. Access tokens that it signed are refused",
    )
    .argument("<kid>", "the key's id, from 'keys list'")
    .addOption(ALGORITHM)
    .option(...WITHOUT_AUDIT)
    .option(...YES);
  cli.answer(retireCommand, async (kid, { yes, alg = "EdDSA", withoutAudit }) => {
    const now = new Date();
    const choice = { replacement: await generateKey(alg, now), now };
    const before = await loadKeys(file);
    const signer = activeKid(retireLeakedKey(before, kid, choice));
    await cli.confirm({ yes }, [
      `Key ${kid} will be removed: resource servers refuse its access tokens within a minute, on Kubernetes some five, and partners refresh.`,
      ...(signer === activeKid(before) ? [] : [`Key ${signer} will sign once it is published.`]),
    ]);
    const { recorded, note } = await auditOf(cli, withoutAudit);
    if (signer === choice.replacement.kid) {
      await recorded("signing_key_generate", async (record) => {
        await record(choice.replacement);
        await changeKeys(file, (keys) => [...keys, choice.replacement]);
      });
    }
    if (signer !== activeKid(before)) await untilPublished(cli, signer);
    return await recorded("signing_key_retire", async (record) => {
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
  cli.answer(listCommand, async () => {
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

/** Before, a resource server could fetch the keys from one without this, and refuse its tokens. */
async function untilPublished({ config, terminal }: Cli, kid = ""): Promise<void> {
  const { findReplicas } = await import("./doctor/replicas.ts");
  const { openSystem, successful } = await import("./doctor/system.ts");
  const { answers } = openSystem(config, await findReplicas(config));
  const end = Date.now() + 180_000;
  for (let isFirst = true; Date.now() < end; isFirst = false) {
    const reports = successful(await answers("/keys")).map(({ text }) => JSON.parse(text));
    const lists = reports.flatMap(({ published }) => (published ? [published] : []));
    if (lists.length === 0) break;
    if (lists.every((published) => published.includes(kid))) return;
    const waiting = `waiting until every authorization server publishes key ${kid}, at most 180 s; if interrupted, the same command continues`;
    if (isFirst) say(terminal.stderr, waiting);
    await sleep(1000);
  }
  const unknown = `it is not known that every authorization server publishes key ${kid}: until then its tokens may be refused`;
  say(terminal.stderr, unknown);
}

const keyJson = (key: SigningKey) =>
  jsonOf(key, "kid", "alg", "status", "createdAt", "activatedAt", "retiringAt");

/**
 * Records changes in transactions that commit once the file is written. The keys need no
 * database: without one, a change succeeds with a note that it was not recorded. `recorded` throws
 * {OperatorError} AUDIT_UNAVAILABLE: nothing was changed; NOT_RECORDED: the file was changed.
 */
async function auditOf(
  cli: Cli,
  withoutAudit: true | undefined,
): Promise<{ recorded: Recorded; note?: string }> {
  const reason = withoutAudit ? "--without-audit" : "no database is configured";
  if (withoutAudit || !(await namesStack(cli.config))) {
    return {
      recorded: (_, change) => change(async () => {}),
      note: `note: not recorded in the audit log: ${reason}`,
    };
  }
  const [{ recordAudit }, { isDatabaseFault }] = await Promise.all([
    import("@partner-connect/audit"),
    import("@partner-connect/database"),
  ]);
  const recorded: Recorded = async (action, change) => {
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
      // Rethrow refusals of the keys file unchanged.
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
  return { recorded };
}

const HELP = `
SIGNING_KEYS_FILE names the file (default: signing-keys.json in DATA_DIR). The authorization servers notice a changed file within two
seconds. 'keys rotate' publishes a new key, waits until every server knows it (--wait), lets it sign, waits until the last access
token of the former key has expired (ACCESS_TOKEN_TTL_SECONDS plus --wait), and removes the former key.`;

export const EXAMPLES = `
  $ SIGNING_KEYS_FILE=signing-keys.json partner-connect keys rotate --wait 420 --after-change './copy-to-servers'
  $ partner-connect keys retire a7Xk…`;
