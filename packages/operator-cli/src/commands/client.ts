import type { Command } from "@commander-js/extra-typings";
import { SCOPES } from "@partner-connect/contract";
import {
  type ClientSummary,
  clientByIdOrName,
  clientDetails,
  createClient,
  listClients,
  rotateClientSecret,
  setClientStatus,
} from "@partner-connect/directory";
import {
  type Answer,
  addList,
  CLIENT,
  type Cli,
  listAnswer,
  newSecretAnswer,
  STATUS,
  YES,
} from "../cli.ts";
import { collect, collectWords, NOW, OVERLAP } from "../values.ts";
import { addClientActivity, addClientShow, clientJson } from "./client-show.ts";
import {
  addClientUpdate,
  addIdentityOptions,
  DUPLICATE_NAME,
  REDIRECT_URI,
  readIdentity,
} from "./client-update.ts";
import { addClientDelete } from "./erase.ts";

export default function addClientCommands(client: Command, cli: Cli): void {
  const createCommand = addIdentityOptions(
    client
      .command("create")
      .description("Register a client; its secret is shown only once")
      .requiredOption("--name <name>", "of the app, as merchants see it on the consent page")
      .requiredOption("--redirect-uri <uri>", REDIRECT_URI, collect)
      .requiredOption(
        "--scope <scope>",
        `${SCOPES.join(", ")}; several are separated by spaces; may repeat`,
        collectWords,
      )
      .option(
        "--grant-type <type>",
        "authorization_code, refresh_token (default: both); may repeat",
        collectWords,
      ),
  );
  cli.setSqlAction(
    createCommand,
    async ({ sql, actor, publicBaseUrl }, { name, redirectUri, scope, grantType, ...identity }) => {
      const { logo, ...given } = await readIdentity(cli, identity);
      const wanted = {
        ...given,
        name,
        redirectUris: redirectUri,
        scope,
        grantTypes: grantType,
        logo: logo ?? undefined,
      };
      const { client, secret } = await createClient(sql, wanted, actor);
      const { json, text } = clientSecretAnswer(`Created client ${client.name}.`, client, secret);
      const guide = `${publicBaseUrl ?? "PUBLIC_BASE_URL"}/docs/first-connection`;
      return { json, text: `${text}\nThe partner's guide to a first connection: ${guide}` };
    },
  );
  const listCommand = addList(client, "the name or company")
    .description("List clients, the newest last")
    .addOption(STATUS);
  cli.setSqlAction(listCommand, ({ sql }, asked) =>
    listAnswer(asked, {
      read: (page) => listClients(sql, page),
      id: "clientId",
      json: (each) => ({ ...clientJson(each), status: each.status }),
      head: ["CLIENT ID", "NAME", "STATUS", "SCOPE"],
      cells: ({ clientId, name, status, scope }) => [clientId, name, status, scope.join(" ")],
      none: "There are no such clients.",
    }),
  );
  addClientShow(client, cli);
  addClientActivity(client, cli);
  addClientUpdate(client, cli);
  const disableCommand = client
    .command("disable")
    .description("Refuse a client: its access tokens at once, other requests within a second")
    .argument(...CLIENT)
    .option(...YES);
  cli.setSqlAction(disableCommand, async ({ sql, actor }, given, consent) => {
    const { client } = await clientDetails(sql, (await clientByIdOrName(sql, given)).id);
    const { name, clientId, status } = client;
    const effect = `Client ${name} (${clientId}) is refused everywhere, with all its connections, until 'client enable'.`;
    await cli.confirm(consent, status === "disabled" ? [] : [effect]);
    return statusAnswer(await setClientStatus(sql, clientId, "disabled", actor));
  });
  const enableCommand = client
    .command("enable")
    .description("Enable a disabled client, with the connections that it had")
    .argument(...CLIENT)
    .option(...DUPLICATE_NAME);
  cli.setSqlAction(enableCommand, async ({ sql, actor }, given, { allowDuplicateName }) => {
    const { id } = await clientByIdOrName(sql, given);
    return statusAnswer(await setClientStatus(sql, id, "active", actor, allowDuplicateName));
  });
  const rotateSecretCommand = client
    .command("rotate-secret")
    .description("Give a client a new secret, which is shown only once")
    .argument(...CLIENT)
    .addOption(OVERLAP)
    .addOption(NOW)
    .option(...YES)
    .addHelpText("after", AT_MOST_TWO);
  cli.setSqlAction(
    rotateSecretCommand,
    async ({ sql, actor }, given, { overlap, now, ...consent }) => {
      const { id, name } = await clientByIdOrName(sql, given);
      const seconds = now ? 0 : overlap;
      const effect = `Client ${name} (${id}) gets a new secret; every former one ends now, and the partner's token requests fail until the new one is installed.`;
      await cli.confirm(consent, seconds === 0 ? [effect] : []);
      const made = await rotateClientSecret(sql, id, seconds, actor);
      const { client, secret, formerSecretExpiresAt: end } = made;
      const former = end ? `works until ${end.toISOString()}` : "has ended";
      const sentence = `Client ${name} has a new secret; the former one ${former}.`;
      return clientSecretAnswer(sentence, client, secret, { former_secret_expires_at: end });
    },
  );
  addClientDelete(client, cli);
}

function statusAnswer(client: ClientSummary): Answer {
  const { name, clientId, status } = client;
  const json = { ...clientJson(client), status };
  return { json, text: `Client ${name} (${clientId}) is ${status}.` };
}

function clientSecretAnswer(
  sentence: string,
  client: ClientSummary,
  secret: string,
  more: object = {},
): Answer {
  const { client_id, name, ...rest } = clientJson(client);
  const shown = { client_id, client_secret: secret, ...rest };
  return newSecretAnswer({
    sentence,
    shown,
    json: { name, ...shown, ...more },
    next: "Hand the secret to the partner",
  });
}

const AT_MOST_TWO = `
At most two secrets of a client work at a time: until the former one expires, another rotation is refused, unless --now ends both.`;

export const EXAMPLES = `
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback \\
      --redirect-uri http://localhost/callback --scope 'responses:read sources:write' --publisher 'Acme GmbH' --logo acme.png
  $ partner-connect client update client_5d2c… --add-redirect-uri https://acme.example/new --no-website
  $ partner-connect client rotate-secret 'Acme Analytics' --overlap 24h`;
