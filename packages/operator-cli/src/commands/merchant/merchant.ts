import type { MerchantAccount } from "@partner-connect/directory";
import { type Command, Option } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { givenPassword, lengthNote, type PasswordOptions, takesPassword } from "../../options/new-password.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { addMerchantErase } from "../erase/merchant-erase.ts";
import { merchantFields, merchantJson, merchantTable, merchantWithPassword } from "./merchant-answer.ts";
import { addRemovePasskeysCommand } from "./merchant-passkeys.ts";
import { addResetLinkCommand, addSetPasswordCommand } from "./merchant-password.ts";
import { addEndSessionsCommand, addForgetIdentityCommand } from "./merchant-sign-in.ts";
import { newAccountLink } from "./new-account.ts";

interface Create extends PasswordOptions {
  readonly email: string;
  readonly name: string;
}

export function addMerchantCommands(program: Command, context: Context): void {
  const merchant = commandGroup(program, "merchant", "The people who sign in and connect their shops", EXAMPLES);
  addCreate(merchant, context);
  addList(merchant, context);
  addShow(merchant, context);
  addSetPasswordCommand(merchant, context);
  addResetLinkCommand(merchant, context);
  addRemovePasskeysCommand(merchant, context);
  addForgetIdentityCommand(merchant, context);
  addEndSessionsCommand(merchant, context);
  addDisable(merchant, context);
  addEnable(merchant, context);
  addUpdate(merchant, context);
  addMerchantErase(merchant, context);
}

function addCreate(merchant: Command, context: Context): void {
  const create = merchant
    .command("create")
    .description(
      "Create a merchant. Without a password, the merchant sets it by a link: mailed where mail is on, else printed",
    )
    .requiredOption("--email <email>", "what the merchant signs in with; one account for each address")
    .requiredOption("--name <name>", "the merchant's name");
  takesPassword(create, "without either option, the merchant gets a link").action(
    onDatabase(context, async (stack, { email, name, ...options }: Create) => {
      const { createAccount, createMerchant } = await import("@partner-connect/directory");
      const { sql, actor } = stack;
      const chosen = await givenPassword(context, options);
      if (chosen === null) {
        const { merchant: created, token } = await createAccount(sql, { email, name, mailKey: stack.mailKey }, actor);
        const { json, text, note } = await newAccountLink(stack, created, token);
        const said = merchantWithPassword(`Created merchant ${created.name}.`, created);
        return { json: { ...created, ...json }, text: paragraphs(said.text, text), note };
      }
      const { password, passwordFrom } = chosen;
      const created = await createMerchant(sql, { email, name, password, passwordFrom }, actor);
      return {
        ...merchantWithPassword(`Created merchant ${created.name}.`, created, chosen),
        note: await lengthNote(chosen),
      };
    }),
  );
}

interface List extends PageOptions {
  readonly status?: "active" | "disabled";
}

function addList(merchant: Command, context: Context): void {
  const states = ["active", "disabled"];
  listing(merchant.command("list").description("List merchants, the newest last"), "<merchant>", "email or name")
    .addOption(new Option("--status <status>", "only the merchants that are so now").choices(states))
    .action(
      onDatabase(context, async ({ sql }, asked: List) => {
        const { listMerchants } = await import("@partner-connect/directory");
        const { shown, note } = await pageOf(
          asked,
          (page) => listMerchants(sql, page),
          ({ id }) => id,
        );
        return { json: shown.map(merchantJson), text: merchantTable(shown), note };
      }),
    );
}

function addShow(merchant: Command, context: Context): void {
  merchant
    .command("show")
    .description("Show a merchant and the shops that the merchant belongs to")
    .argument("<email>", "the merchant's email")
    .action(
      onDatabase(context, async ({ sql }, email: string) => {
        const { showMerchant } = await import("@partner-connect/directory");
        const found = await showMerchant(sql, email);
        return { json: merchantJson(found), text: merchantFields(found) };
      }),
    );
}

function addDisable(merchant: Command, context: Context): void {
  destructive(merchant.command("disable"))
    .description("Sign a merchant out everywhere and let nobody sign in; the shops' connections go on")
    .argument("<email>", "the merchant's email")
    .action(
      onDatabase(context, async ({ sql, actor }, email: string, consent: Consent) => {
        const { showMerchant, setMerchantStatus } = await import("@partner-connect/directory");
        const { name, email: address, shops } = await showMerchant(sql, email);
        const effects = [
          `${name} (${address}) is signed out everywhere and can't sign in any more; links to reset the password end.`,
          shops.length === 0
            ? "The merchant belongs to no shop."
            : `Apps stay connected with the merchant's shops: ${shops.map((shop) => shop.name).join(", ")}.`,
        ];
        return await carryOut(context, consent, effects, async () =>
          statusAnswer(await setMerchantStatus(sql, address, "disabled", actor)),
        );
      }),
    );
}

function addEnable(merchant: Command, context: Context): void {
  merchant
    .command("enable")
    .description("Let a disabled merchant sign in again, with the password that there was")
    .argument("<email>", "the merchant's email")
    .action(
      onDatabase(context, async ({ sql, actor }, email: string) => {
        const { setMerchantStatus } = await import("@partner-connect/directory");
        return statusAnswer(await setMerchantStatus(sql, email, "active", actor));
      }),
    );
}

function addUpdate(merchant: Command, context: Context): void {
  merchant
    .command("update")
    .description("Give a merchant another address to sign in with; links to reset the password end, sessions go on")
    .argument("<email>", "the merchant's present email")
    .requiredOption("--email <email>", "the new one; make sure that it is the merchant's")
    .action(
      onDatabase(context, async ({ sql, actor }, from: string, { email: to }: { email: string }) => {
        const { updateEmail } = await import("@partner-connect/directory");
        const { id, name, email } = await updateEmail(sql, from, to, actor);
        return { json: { id, email, name }, text: `${name} signs in with ${email} from now on.` };
      }),
    );
}

function statusAnswer({ id, email, name, status }: MerchantAccount) {
  return { json: { id, email, name, status }, text: `Merchant ${name} (${email}) is ${status}.` };
}

const EXAMPLES = `
  $ partner-connect merchant create --email anna@shop.example --name Anna
  $ partner-connect merchant create --email anna@shop.example --name Anna --generate-password
  $ pass anna | partner-connect merchant create --email anna@shop.example --name Anna --password - --json
  $ partner-connect merchant list
  $ partner-connect merchant list --search shop.example --status disabled --limit 100
  $ partner-connect merchant show anna@shop.example
  $ partner-connect merchant reset-link anna@shop.example
  $ partner-connect merchant set-password anna@shop.example
  $ partner-connect merchant remove-passkeys anna@shop.example
  $ partner-connect merchant forget-identity anna@shop.example
  $ partner-connect merchant end-sessions --all
  $ partner-connect merchant disable anna@shop.example
  $ partner-connect merchant enable anna@shop.example
  $ partner-connect merchant update anna@shop.example --email anna@hats.example
  $ partner-connect merchant erase anna@shop.example --dry-run`;
