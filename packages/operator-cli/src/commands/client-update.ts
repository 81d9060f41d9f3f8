import type { Command, OptionValues } from "@commander-js/extra-typings";
import {
  type ClientSummary,
  clientByIdOrName,
  clientDetails,
  updateClient,
  updatedClient,
} from "@partner-connect/directory";
import { CLIENT, type Cli, YES } from "../cli.ts";
import { UsageError } from "../errors.ts";
import { fields } from "../print.ts";
import { collect, collectWords } from "../values.ts";
import { clientFields, wholeClientJson } from "./client-show.ts";

export const DUPLICATE_NAME = [
  "--allow-duplicate-name",
  "although merchants can't tell it from another active client by its name",
] as const;
export const REDIRECT_URI = "https, or http on localhost or 127.0.0.1 (any port); may repeat";

/** The options that describe the publisher. */
export function identityOptions<
  Given extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Given, Options, Global>) {
  return command
    .option("--publisher <name>", "the company behind the app")
    .option("--website <url>", "of the app or the company; https")
    .option("--privacy-policy <url>", "the page with it; https")
    .option("--contact <email>", "the address that merchants ask to delete what the app has read")
    .option("--logo <file>", "PNG or WebP, at most 1 MB; becomes a square of 256 pixels")
    .option(...DUPLICATE_NAME);
}

/** The values of these options; false removes one. */
interface Identity {
  readonly publisher?: string | false | undefined;
  readonly website?: string | false | undefined;
  readonly privacyPolicy?: string | false | undefined;
  readonly contact?: string | false | undefined;
  readonly logo?: string | false | undefined;
  readonly allowDuplicateName?: true | undefined;
}

/** The given options for the directory: null removes a value, undefined keeps it. */
export async function givenIdentity(cli: Cli, { logo, allowDuplicateName, ...given }: Identity) {
  const orNull = <T>(value: T | false) => (value === false ? null : value);
  return {
    publisher: orNull(given.publisher),
    website: orNull(given.website),
    privacyPolicy: orNull(given.privacyPolicy),
    contact: orNull(given.contact),
    // Loaded lazily: the image library takes a tenth of a second.
    logo: logo
      ? await (await import("./logo-image.ts")).readLogo(cli, logo)
      : orNull(logo as false | undefined),
    allowDuplicateName,
  };
}

export function addUpdate(client: Command, cli: Cli): void {
  const command = identityOptions(
    client
      .command("update")
      .description("Change a client; its connections stay")
      .argument(...CLIENT)
      .option("--name <name>", "of the app, as merchants see it when they are asked")
      .option("--add-redirect-uri <uri>", REDIRECT_URI, collect)
      .option("--remove-redirect-uri <uri>", "as it is registered; may repeat", collect)
      .option(
        "--scope <scope>",
        "all scopes that it may ask for from now on, with a space; may repeat",
        collectWords,
      ),
  )
    .option("--no-publisher", "show no company")
    .option("--no-website", "show no website")
    .option("--no-privacy-policy", "show no privacy policy")
    .option("--no-contact", "show no contact")
    .option("--no-logo", "show a letter for a logo")
    .option(...YES)
    .addHelpText("after", NARROWING);
  cli.onDatabase(command, async ({ sql, actor, publicBaseUrl }, given, { yes, ...options }) => {
    if (Object.values(options).every((value) => value === undefined)) {
      const problem = "nothing to change is given";
      throw new UsageError(problem, "see 'partner-connect client update --help'");
    }
    const { name, addRedirectUri, removeRedirectUri, scope, ...identity } = options as Options;
    const wanted = {
      ...(await givenIdentity(cli, identity)),
      name,
      addRedirectUris: addRedirectUri,
      removeRedirectUris: removeRedirectUri,
      scope,
    };
    const { id } = await clientByIdOrName(sql, given);
    const { client: before } = await clientDetails(sql, id);
    const after = updatedClient(before, wanted);
    await cli.confirm({ yes }, narrowing(before, after));
    const client = await updateClient(sql, id, wanted, actor);
    const text = `Client ${client.name}:\n\n${fields(clientFields(client, publicBaseUrl))}`;
    return { json: wholeClientJson(client), text };
  });
}

/** A --no option may also be absent, which its inferred type does not include. */
interface Options extends Identity {
  readonly name?: string;
  readonly addRedirectUri?: string[];
  readonly removeRedirectUri?: string[];
  readonly scope?: string[];
}

/**
 * A sentence for each scope or redirect URI that an update removes although connections may use it.
 */
function narrowing(before: ClientSummary, after: ClientSummary): string[] {
  const uris = before.redirectUris.filter((uri) => !after.redirectUris.includes(uri));
  const lost = before.scope.filter((scope) => !after.scope.includes(scope));
  return [
    ...uris.map((uri) => `Removes the redirect URI ${uri}: it can't be used to connect again.`),
    ...lost.map(
      (scope) => `Takes ${scope} from the client, and from its connections at their next refresh.`,
    ),
  ];
}

const NARROWING = `
It asks before it takes a redirect URI or a scope away. A connection loses a scope at its next refresh, and gets a new one only when
its merchant approves again. 'client show' has the number of connections.`;
