import type { ClientUpdate } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { collect, collectWords } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";
import { fields } from "../../terminal/table.ts";
import { clientFields, wholeClientJson } from "./client-answer.ts";
import { givenIdentity, type IdentityOptions, identityOptions } from "./client-options.ts";
import { updateEffects } from "./client-update-effects.ts";
import { countsOf } from "./connection-counts.ts";

interface Update extends IdentityOptions, Consent {
  readonly name?: string;
  readonly addRedirectUri?: string[];
  readonly removeRedirectUri?: string[];
  readonly scope?: string[];
  readonly optionalScope?: string[] | false;
  readonly verified?: boolean;
}

export function addUpdateCommand(client: Command, context: Context): void {
  const command = client
    .command("update")
    .description("Change a client; its connections stay")
    .argument("<client>", "the client's id")
    .option("--name <name>", "of the app, as merchants see it when they are asked")
    .option("--add-redirect-uri <uri>", "https, or http on localhost or 127.0.0.1 (any port); may repeat", collect)
    .option("--remove-redirect-uri <uri>", "as it is registered; may repeat", collect)
    .option("--scope <scope>", "all scopes that it may ask for from now on, with a space; may repeat", collectWords)
    .option(
      "--optional-scope <scope>",
      "all of them that a merchant may leave out, with a space; may repeat",
      collectWords,
    )
    .option("--no-optional-scope", "a merchant approves all that it asks for")
    .option("--verified", "you vouch that it is whose it says: merchants see that, with today's date")
    .option("--no-verified", "vouch for it no longer");
  identityOptions(command)
    .option("--no-publisher", "say no company")
    .option("--no-website", "show no website")
    .option("--no-privacy-policy", "show no privacy policy")
    .option("--no-contact", "show no contact")
    .option("--no-logo", "show a letter for a logo");
  destructive(command)
    .addHelpText("after", NARROWING)
    .action(answer(context, (id: string, given: Update) => update(context, id, given)));
}

async function update(context: Context, id: string, given: Update) {
  const wanted = await wantedUpdate(context, given);
  return await withDatabase(context, async (sql, stack) => {
    const { clientDetails, requireFreeName, updateClient, updatedClient } = await import("@partner-connect/directory");
    const { client: before } = await clientDetails(sql, id);
    const after = updatedClient(before, wanted);
    const { narrows, effects } = updateEffects(before, after, await countsOf(stack, id), context.config);
    if (given.dryRun && after.name !== before.name && !wanted.allowDuplicateName)
      await requireFreeName(sql, after.name, id);
    // Only what takes something away is asked about.
    return await carryOut(context, narrows || given.dryRun ? given : { yes: true }, effects, async () => {
      const client = await updateClient(sql, id, wanted, stack.actor);
      const did = effects.length === 0 ? "was like this already" : "is changed";
      const text = `Client ${client.name} ${did}.\n\n${fields(clientFields(client, stack.publicBaseUrl))}`;
      return { json: wholeClientJson(client), text };
    });
  });
}

/** @throws {UsageError} when nothing is given */
async function wantedUpdate(context: Context, given: Update): Promise<ClientUpdate> {
  const { name, addRedirectUri, removeRedirectUri, scope, publisher, website, privacyPolicy, contact, logo } = given;
  const { optionalScope, verified } = given;
  const rules = [name, addRedirectUri, removeRedirectUri, scope, optionalScope, verified];
  const values = [...rules, publisher, website, privacyPolicy, contact, logo];
  if (values.every((value) => value === undefined)) {
    throw new UsageError("nothing to change is given", "see 'partner-connect client update --help'");
  }
  return {
    name,
    addRedirectUris: addRedirectUri,
    removeRedirectUris: removeRedirectUri,
    scope,
    optionalScope: optionalScope === false ? [] : optionalScope,
    verifiedAt: verified === undefined ? undefined : verified ? new Date() : null,
    ...(await givenIdentity(context, given)),
  };
}

const NARROWING = `
What takes something away is told and asked about first: how many connections came by a redirect URI, or have a scope. A
connection loses a scope at its next refresh. It gets a new one only when its merchant approves again.`;
