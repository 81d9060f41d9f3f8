import type { Command } from "commander";
import { answer, collect, collectWords } from "../../run/answer.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { clientWithSecret } from "./client-answer.ts";
import { givenIdentity, type IdentityOptions, identityOptions } from "./client-options.ts";
import { handover } from "./handover.ts";

interface Create extends IdentityOptions {
  readonly name: string;
  readonly redirectUri: string[];
  readonly scope: string[];
  readonly grantType?: string[];
}

export function addCreateCommand(client: Command, context: Context): void {
  const command = client
    .command("create")
    .description("Register a client, show its secret once, and what to send to the partner")
    .requiredOption("--name <name>", "of the app, as merchants see it when they are asked")
    .requiredOption("--redirect-uri <uri>", "https, or http on localhost or 127.0.0.1 (any port); may repeat", collect)
    .requiredOption("--scope <scope>", "responses:read, sources:write, or both with a space; may repeat", collectWords)
    .option("--grant-type <type>", "authorization_code, refresh_token (default: both); may repeat", collectWords);
  identityOptions(command).action(
    answer(context, async ({ name, redirectUri, scope, grantType, ...identity }: Create) => {
      const { createClient } = await import("@partner-connect/directory");
      const { logo, ...given } = await givenIdentity(context, identity);
      const wanted = {
        name,
        redirectUris: redirectUri,
        scope,
        grantTypes: grantType,
        ...given,
        logo: logo ?? undefined,
      };
      return await withDatabase(context, async (sql, { publicBaseUrl }) => {
        const { client, secret } = await createClient(sql, wanted, operatorActor(context));
        const { json, text } = clientWithSecret(`Created client ${client.name}.`, client, secret);
        return { json, text: paragraphs(text, handover(client, publicBaseUrl)) };
      });
    }),
  );
}
