import { text } from "node:stream/consumers";
import type { Command } from "@commander-js/extra-typings";
import {
  createAccount,
  createMerchant,
  createResetLink,
  endAllSessions,
  endSessions,
  listMerchants,
  type Merchant,
  type MerchantDetails,
  MIN_PASSWORD_LENGTH,
  merchantDetails,
  removeAllPasskeys,
  setMerchantStatus,
  setPassword,
  unlinkIdentities,
  updateEmail,
} from "@partner-connect/directory";
import { type Answer, addList, type Cli, listAnswer, MERCHANT, STATUS, YES } from "../cli.ts";
import { UsageError } from "../errors.ts";
import { countOf, fields, jsonOf, table } from "../print.ts";
import { addMerchantErase } from "./erase.ts";
import { newAccountLink, passwordLink } from "./new-account.ts";

const PASSWORD = [
  "--password <password>",
  "for scripts, 8 to 256 characters; '-' reads it from stdin, so that 'ps' can't show it",
] as const;
const WHO_ASKS = [
  MERCHANT[0],
  `${MERCHANT[1]}; make sure that the request is the merchant's own`,
] as const;

export default function addMerchantCommands(merchant: Command, cli: Cli): void {
  const createCommand = merchant
    .command("create")
    .description("Create a merchant; without a password, a link to set one is mailed or printed")
    .requiredOption("--email <email>", "what the merchant signs in with; one account per address")
    .requiredOption("--name <name>", "the merchant's name")
    .option(...PASSWORD);
  cli.setSqlAction(createCommand, async (stack, { email, name, password: given }) => {
    const { sql, actor } = stack;
    if (given === undefined) {
      const account = { email, name, mailKey: stack.mailKey };
      const { merchant, token } = await createAccount(sql, account, actor);
      const { json, text, note } = newAccountLink(stack, merchant, token);
      const said = merchantAnswer(`Created merchant ${merchant.name}.`, merchant);
      return { json: { ...merchant, ...json }, text: said.text + text, note };
    }
    const password = await readPassword(cli, given);
    const account = { email, name, password, passwordFrom: "script" } as const;
    const created = await createMerchant(sql, account, actor);
    return {
      ...merchantAnswer(`Created merchant ${created.name}.`, created),
      note: shortPasswordNote(password),
    };
  });
  const listCommand = addList(merchant, "email or name")
    .description("List merchants, the newest last")
    .addOption(STATUS);
  cli.setSqlAction(listCommand, ({ sql }, asked) =>
    listAnswer(asked, {
      read: (page) => listMerchants(sql, page),
      json: merchantJson,
      head: ["EMAIL", "NAME", "STATUS", "SHOPS"],
      cells: ({ email, name, status, shops }) => [email, name, status, namesOf(shops)],
      none: "There are no such merchants.",
    }),
  );
  const showCommand = merchant
    .command("show")
    .description("Show a merchant and the shops that the merchant belongs to")
    .argument(...MERCHANT);
  cli.setSqlAction(showCommand, async ({ sql }, given) => {
    const found = await merchantDetails(sql, given);
    const { shops, ...about } = merchantJson(found);
    const rows = shops.map((shop) => [shop.id, shop.name]);
    return {
      json: { ...about, shops },
      text: `${fields(about)}\n\n${table(["SHOP", "NAME"], rows, "Belongs to no shop.")}`,
    };
  });
  const setPasswordCommand = merchant
    .command("set-password")
    .description("Set a merchant's password; sessions and links end. 'reset-link' is safer")
    .argument(...MERCHANT)
    .requiredOption(...PASSWORD);
  cli.setSqlAction(setPasswordCommand, async ({ sql, actor }, given, options) => {
    const password = await readPassword(cli, options.password);
    const merchant = await merchantDetails(sql, given);
    await setPassword(sql, { email: merchant.email, password, passwordFrom: "script" }, actor);
    const sentence = `${merchant.name} has the new password and is signed out everywhere.`;
    return { ...merchantAnswer(sentence, merchant), note: shortPasswordNote(password) };
  });
  const resetLinkCommand = merchant
    .command("reset-link")
    .description(
      "Create a link that sets a new password once, within 30 minutes; earlier links end",
    )
    .argument(...MERCHANT);
  cli.setSqlAction(resetLinkCommand, async (stack, given) => {
    const { sql, actor } = stack;
    const { merchant: owner, token, expiresAt } = await createResetLink(sql, given, actor);
    const { url, note } = passwordLink(stack, token);
    return {
      json: { email: owner.email, url, expires_at: expiresAt.toISOString() },
      text: `A link for ${owner.name} (${owner.email}) to set a new password:
  ${url}
Send it only to the person who owns this account, where nobody else can read it. Anybody who opens it gets the account.
It works once, until ${expiresAt.toISOString()} (30 minutes). It is not shown again; a newer link ends it.`,
      note,
    };
  });
  const removePasskeysCommand = merchant
    .command("remove-passkeys")
    .description("Remove all passkeys of a merchant who has lost one; all sessions end")
    .argument(...WHO_ASKS)
    .option(...YES);
  cli.setSqlAction(removePasskeysCommand, async ({ sql, actor }, given, consent) => {
    const { id, name, email, passkeys } = await merchantDetails(sql, given);
    const which = passkeys === 1 ? "the passkey" : `all ${passkeys} passkeys`;
    const effects = [
      `${name} (${email}) loses ${which}, and is signed out everywhere.`,
      "From then on the password is enough to sign in, until a passkey is added again. The merchant gets a mail, if mail is on.",
    ];
    await cli.confirm(consent, passkeys === 0 ? [] : effects);
    const removed = await removeAllPasskeys(sql, id, actor);
    if (removed === 0) return { json: { email, removed }, text: `${name} has no passkey.` };
    return {
      json: { email, removed },
      text: `${name} has no passkey any more and is signed out everywhere.`,
      note: `If somebody else may know the password, also send a link to set a new one: partner-connect merchant reset-link ${email}`,
    };
  });
  const forgetIdentityCommand = merchant
    .command("forget-identity")
    .description("Unlink a merchant's account at the OpenID provider; all sessions end")
    .argument(...WHO_ASKS)
    .option(...YES);
  cli.setSqlAction(forgetIdentityCommand, async ({ sql, actor }, given, consent) => {
    const { id, name, email } = await merchantDetails(sql, given);
    await cli.confirm(consent, [
      `${name} (${email}) is unlinked from the account at the OpenID provider, and signed out everywhere.`,
      "Afterwards the first person who signs in there with this verified address gets the account here.",
    ]);
    const issuers = await unlinkIdentities(sql, id, actor);
    const at = `is unlinked from the account at ${issuers.join(", ")}, and signed out everywhere`;
    return {
      json: { email, issuers },
      text: `${name} ${issuers.length === 0 ? "has no account at an OpenID provider" : at}.`,
    };
  });
  const endSessionsCommand = merchant
    .command("end-sessions")
    .description("Sign a merchant out everywhere, or all merchants; passkeys and connections stay")
    .argument("[merchant]", "the merchant's email or id")
    .option("--all", "end the sessions of all merchants")
    .option(...YES);
  cli.setSqlAction(endSessionsCommand, async ({ sql, actor }, given, { all, ...consent }) => {
    if ((given === undefined) === (all === undefined)) {
      throw new UsageError("give a merchant's email or id, or --all");
    }
    if (given === undefined) {
      await cli.confirm(consent, [
        "Every merchant is signed out everywhere, at once, and has to sign in again.",
      ]);
      const merchants = await endAllSessions(sql, actor);
      return {
        json: { merchants },
        text: `All sessions of ${countOf(merchants, "merchant")} have ended.`,
      };
    }
    const { id, name, email } = await merchantDetails(sql, given);
    await cli.confirm(consent, [`${name} (${email}) is signed out everywhere.`]);
    await endSessions(sql, id, actor);
    return { json: { merchants: 1 }, text: `All sessions of ${name} (${email}) have ended.` };
  });
  const disableCommand = merchant
    .command("disable")
    .description("Sign a merchant out everywhere and refuse sign-ins; the shops' connections stay")
    .argument(...MERCHANT)
    .option(...YES);
  cli.setSqlAction(disableCommand, async ({ sql, actor }, given, consent) => {
    const { id, name, email, shops } = await merchantDetails(sql, given);
    await cli.confirm(consent, [
      `${name} (${email}) is signed out everywhere and can't sign in any more; links to reset the password end.`,
      shops.length === 0
        ? "The merchant belongs to no shop."
        : `Apps stay connected with the merchant's shops: ${namesOf(shops)}.`,
    ]);
    return statusAnswer(await setMerchantStatus(sql, id, "disabled", actor));
  });
  const enableCommand = merchant
    .command("enable")
    .description("Let a disabled merchant sign in again, with the former password")
    .argument(...MERCHANT);
  cli.setSqlAction(enableCommand, async ({ sql, actor }, given) =>
    statusAnswer(await setMerchantStatus(sql, given, "active", actor)),
  );
  const updateCommand = merchant
    .command("update")
    .description("Change a merchant's sign-in address, and mail the former one; reset links end")
    .argument(...MERCHANT)
    .requiredOption("--email <email>", "the new address; make sure that it is the merchant's");
  cli.setSqlAction(updateCommand, async ({ sql, actor }, given, { email: to }) => {
    const { id, name, email } = await updateEmail(sql, given, to, actor);
    return { json: { id, email, name }, text: `${name} signs in with ${email} from now on.` };
  });
  addMerchantErase(merchant, cli);
}

function namesOf(shops: MerchantDetails["shops"]): string {
  return shops.map(({ name }) => name).join(", ");
}

function merchantJson(merchant: MerchantDetails) {
  const whole = jsonOf(merchant, "id", "email", "name", "status", "createdAt");
  return { ...whole, ...jsonOf(merchant, "passwordChangedAt", "passkeys", "shops") };
}

async function readPassword({ terminal }: Cli, given: string): Promise<string> {
  return given === "-" ? (await text(terminal.stdin)).replace(/\r?\n$/, "") : given;
}

function shortPasswordNote(password: string): string | undefined {
  const least = MIN_PASSWORD_LENGTH.person;
  if ([...password].length >= least) return undefined;
  return `The password has fewer than ${least} characters. Merchants who choose their own need more, because the password may be the only protection.`;
}

function merchantAnswer(sentence: string, { id, email, name }: Merchant): Answer {
  return { json: { id, email, name }, text: `${sentence}\n\n${fields({ id, email })}` };
}

function statusAnswer({ id, email, name, status }: Merchant & Pick<MerchantDetails, "status">) {
  return { json: { id, email, name, status }, text: `Merchant ${name} (${email}) is ${status}.` };
}

export const EXAMPLES = `
  $ partner-connect merchant create --email anna@shop.example --name Anna
  $ pass anna | partner-connect merchant create --email anna@shop.example --name Anna --password - --json
  $ partner-connect merchant update anna@shop.example --email anna@hats.example`;
