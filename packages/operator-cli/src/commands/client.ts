import type { Client, ClientSummary } from "@partner-connect/directory";
import type { Command } from "commander";
import { answer, collect, collectWords, table } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { examples } from "../examples.ts";
import { operatorActor } from "../operator-actor.ts";
import type { Printable } from "../screen.ts";
import { clientJson, clientWithSecret } from "./client-answer.ts";
import { addRotateSecretCommand } from "./client-rotate-secret.ts";
import { commandGroup } from "./command-group.ts";

interface Create {
  readonly name: string;
  readonly redirectUri: string[];
  readonly scope: string[];
  readonly grantType?: string[];
}

export function addClientCommands(program: Command, context: Context): void {
  const client = commandGroup(
    program,
    "client",
    "Partners' apps: what they may ask merchants for, and their secrets",
    EXAMPLES,
  );
  addCreate(client, context);
  addList(client, context);
  addStatus(client, context, "disable", "disabled", "Refuse a client: its access tokens at once, the rest in a second");
  addStatus(client, context, "enable", "active", "Let a disabled client work again, with the connections that it had");
  addRotateSecretCommand(client, context, EXAMPLES);
}

function addCreate(client: Command, context: Context): void {
  client
    .command("create")
    .description("Register a client, and show its secret once")
    .requiredOption("--name <name>", "of the app, as merchants see it when they are asked")
    .requiredOption("--redirect-uri <uri>", "https, or http on localhost or 127.0.0.1 (any port); may repeat", collect)
    .requiredOption("--scope <scope>", "responses:read, sources:write, or both with a space; may repeat", collectWords)
    .option("--grant-type <type>", "authorization_code, refresh_token (default: both); may repeat", collectWords)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ name, redirectUri, scope, grantType }: Create) => {
        const { createClient } = await import("@partner-connect/directory");
        const wanted = { name, redirectUris: redirectUri, scope, grantTypes: grantType };
        const { client, secret } = await withDatabase(context, (sql) =>
          createClient(sql, wanted, operatorActor(context)),
        );
        return clientWithSecret(`Created client ${client.name}.`, client, secret);
      }),
    );
}

function addList(client: Command, context: Context): void {
  client
    .command("list")
    .description("List all clients")
    .action(
      answer(context, async () => {
        const { listClients } = await import("@partner-connect/directory");
        const clients = await withDatabase(context, listClients);
        return {
          json: clients.map((each) => ({ ...clientJson(each), status: each.status })),
          text: clientTable(clients),
        };
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
        const changed = await withDatabase(context, (sql) => setClientStatus(sql, id, status, operatorActor(context)));
        return {
          json: { ...clientJson(changed), status: changed.status },
          text: `Client ${changed.name} (${changed.clientId}) is ${changed.status}.`,
        };
      }),
    );
}

function clientTable(clients: readonly ClientSummary[]): Printable {
  return table(
    ["CLIENT ID", "NAME", "STATUS", "SCOPE", "REDIRECT URIS"],
    clients.map(({ clientId, name, status, scope, redirectUris }) => [
      clientId,
      name,
      status,
      scope.join(" "),
      redirectUris.join(" "),
    ]),
    "There are no clients yet.",
  );
}

const EXAMPLES = examples(`
  $ partner-connect client create --name 'Acme Analytics' --redirect-uri https://acme.example/callback \\
      --redirect-uri http://localhost/callback --scope 'responses:read sources:write'
  $ partner-connect client list
  $ partner-connect client disable client_5d2c…
  $ partner-connect client rotate-secret client_5d2c… --overlap 24h
  $ partner-connect client rotate-secret client_5d2c… --now`);
