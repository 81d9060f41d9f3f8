import type { Client, ClientSummary } from "@partner-connect/directory";
import { type Command, Option } from "commander";
import { answer, collect, collectWords, fields, table } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { parseDuration } from "../duration.ts";

interface Create {
  readonly name: string;
  readonly redirectUri: string[];
  readonly scope: string[];
  readonly grantType?: string[];
}

export function addClientCommands(program: Command, context: Context): void {
  const client = program
    .command("client")
    .description("Partners' apps: what they may ask merchants for, and how they sign in")
    .addHelpText("after", EXAMPLES);
  addCreate(client, context);
  client
    .command("list")
    .description("List all clients")
    .action(
      answer(context, async () => {
        const { listClients } = await import("@partner-connect/directory");
        const clients = await withDatabase(context, listClients);
        return {
          json: clients.map((each) => ({ ...clientJson(each), status: each.status })),
          text: table(
            ["CLIENT ID", "NAME", "STATUS", "SCOPE", "REDIRECT URIS"],
            clients.map((each) => [
              each.clientId,
              each.name,
              each.status,
              each.scope.join(" "),
              each.redirectUris.join(" "),
            ]),
            "There are no clients yet.",
          ),
        };
      }),
    );
  addStatus(
    client,
    context,
    "disable",
    "disabled",
    "Refuse a client everywhere within a second, its access tokens at once",
  );
  addStatus(client, context, "enable", "active", "Let a disabled client work again, with the connections it had");
  addRotateSecret(client, context);
}

function addCreate(client: Command, context: Context): void {
  client
    .command("create")
    .description("Register a client and show its secret, this once")
    .requiredOption("--name <name>", "of the app, as merchants see it when they are asked")
    .requiredOption("--redirect-uri <uri>", "https, or http on localhost or 127.0.0.1 (any port); may repeat", collect)
    .requiredOption("--scope <scope>", "responses:read, sources:write, or both with a space; may repeat", collectWords)
    .option("--grant-type <type>", "authorization_code, refresh_token (default: both); may repeat", collectWords)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ name, redirectUri, scope, grantType }: Create) => {
        const { createClient } = await import("@partner-connect/directory");
        const { client, secret } = await withDatabase(context, (sql) =>
          createClient(sql, { name, redirectUris: redirectUri, scope, grantTypes: grantType }),
        );
        return withSecret(`Created client ${client.name}.`, client, secret);
      }),
    );
}

function addStatus(
  client: Command,
  context: Context,
  verb: string,
  status: Client["status"],
  description: string,
): void {
  client
    .command(verb)
    .description(description)
    .argument("<client>", "the client's id")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async (id: string) => {
        const { setClientStatus } = await import("@partner-connect/directory");
        const changed = await withDatabase(context, (sql) => setClientStatus(sql, id, status));
        return {
          json: { ...clientJson(changed), status: changed.status },
          text: `Client ${changed.name} (${changed.clientId}) is ${changed.status}.`,
        };
      }),
    );
}

function addRotateSecret(client: Command, context: Context): void {
  client
    .command("rotate-secret")
    .description("Give a client a new secret and show it, this once")
    .argument("<client>", "the client's id")
    .option("--overlap <time>", "how long the former secret still works: 90s, 30m, 24h, up to 30d (default: 24h)")
    .addOption(new Option("--now", "end the former secret at once, as after a leak").conflicts("overlap"))
    .addHelpText(
      "after",
      `\nA secret that was replaced before and is still in its overlap ends now: two at most work.\n${EXAMPLES}`,
    )
    .action(
      answer(context, async (id: string, { overlap = "24h", now }: { overlap?: string; now?: boolean }) => {
        const seconds = now ? 0 : parseDuration(overlap, "--overlap");
        const { rotateClientSecret } = await import("@partner-connect/directory");
        const rotation = await withDatabase(context, (sql) => rotateClientSecret(sql, id, seconds));
        const end = rotation.formerSecretExpiresAt;
        const former = end ? `works until ${end.toISOString()}` : "has ended";
        return withSecret(
          `Client ${rotation.client.name} has a new secret; the former one ${former}.`,
          rotation.client,
          rotation.secret,
        );
      }),
    );
}

function withSecret(sentence: string, client: ClientSummary, secret: string) {
  const { client_id, name, ...rest } = clientJson(client);
  const shown = fields([
    ["client_id", client_id],
    ["client_secret", secret],
    ["redirect_uris", rest.redirect_uris.join(" ")],
    ["scope", rest.scope],
    ["grant_types", rest.grant_types.join(" ")],
  ]);
  return {
    json: { client_id, client_secret: secret, name, ...rest },
    text: `${sentence}\n\n${shown}\n\nHand the secret to the partner now: only its hash is kept, and it is never shown again.`,
  };
}

function clientJson(client: ClientSummary) {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.scope.join(" "),
    grant_types: client.grantTypes,
  };
}

const EXAMPLES = `
Examples:
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback \\
      --redirect-uri http://localhost/callback --scope 'responses:read sources:write'
  $ partner-connect client list
  $ partner-connect client disable client_5d2c…
  $ partner-connect client rotate-secret client_5d2c… --overlap 24h
  $ partner-connect client rotate-secret client_5d2c… --now`;
