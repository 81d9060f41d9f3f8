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
  "even if merchants can't tell the client from another active one by its name",
] as const;
export const REDIRECT_URI = "https, or http on localhost or 127.0.0.1 (any port); may repeat";

/** Adds the options that describe the app and its publisher. */
export function addIdentityOptions<
  Given extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Given, Options, Global>) {
  return command
    .option("--publisher <name>", "the company behind the app")
    .option("--website <url>", "of the app or the company; https")
    .option("--privacy-policy <url>", "the page with the privacy policy; https")
    .option("--contact <email>", "the address that merchants ask to delete what the app has read")
    .option("--logo <file>", "PNG or WebP, at most 1 MB; becomes a square of 256 pixels")
    .option(...DUPLICATE_NAME);
}

/** The values of {@link addIdentityOptions}; false removes a value. */
interface Identity {
  readonly publisher?: string | false | undefined;
  readonly website?: string | false | undefined;
  readonly privacyPolicy?: string | false | undefined;
  readonly contact?: string | false | undefined;
  readonly logo?: string | false | undefined;
  readonly allowDuplicateName?: true | undefined;
}

/** Reads the logo, and converts the options for the directory: null removes a value. */
export async function readIdentity(cli: Cli, { logo, allowDuplicateName, ...given }: Identity) {
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

export function addClientUpdate(client: Command, cli: Cli): void {
  const command = addIdentityOptions(
    client
      .command("update")
      .description("Change a client; its connections stay")
      .argument(...CLIENT)
      .option("--name <name>", "of the app, as merchants see it on the consent page")
      .option("--add-redirect-uri <uri>", REDIRECT_URI, collect)
      .option("--remove-redirect-uri <uri>", "exactly as registered; may repeat", collect)
      .option(
        "--scope <scope>",
        "all scopes that the client may request from now on, separated by spaces; may repeat",
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
  cli.setSqlAction(command, async ({ sql, actor, publicBaseUrl }, given, { yes, ...options }) => {
    if (Object.values(options).every((value) => value === undefined)) {
      const problem = "no change is given";
      throw new UsageError(problem, "see 'partner-connect client update --help'");
    }
    const { name, addRedirectUri, removeRedirectUri, scope, ...identity } = options as Options;
    const wanted = {
      ...(await readIdentity(cli, identity)),
      name,
      addRedirectUris: addRedirectUri,
      removeRedirectUris: removeRedirectUri,
      scope,
    };
    const { id } = await clientByIdOrName(sql, given);
    const { client: before } = await clientDetails(sql, id);
    const after = updatedClient(before, wanted);
    await cli.confirm({ yes }, lossesOf(before, after));
    const client = await updateClient(sql, id, wanted, actor);
    const text = `Client ${client.name}:\n\n${fields(clientFields(client, publicBaseUrl))}`;
    return { json: wholeClientJson(client), text };
  });
}

/** The options of `client update`. The inferred type lacks that a `--no-…` option may be absent. */
interface Options extends Identity {
  readonly name?: string;
  readonly addRedirectUri?: string[];
  readonly removeRedirectUri?: string[];
  readonly scope?: string[];
}

/**
 * A sentence for each scope or redirect URI that an update removes although connections may use it.
 */
function lossesOf(before: ClientSummary, after: ClientSummary): string[] {
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
The command asks before it removes a redirect URI or a scope. A connection loses a scope at its next refresh, and gets a new one only
when its merchant approves again. 'client show' shows the number of connections.`;
