import type { ClientSummary } from "@partner-connect/directory";
import type { Command } from "commander";
import { collect, collectWords } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { fields } from "../../terminal/table.ts";
import { clientWithSecret } from "./client-answer.ts";
import { givenIdentity, type IdentityOptions, identityOptions } from "./client-options.ts";

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

/** Stands for the public base URL where nobody knows it. */
const UNKNOWN_BASE = "BASE";

/** What the operator sends to the partner beside the secret. */
function handover(client: ClientSummary, publicBaseUrl: string | null): string {
  const base = publicBaseUrl ?? UNKNOWN_BASE;
  const shown: [string, string][] = [
    ["discovery", `${base}/.well-known/oauth-authorization-server`],
    ["guide", `${base}/docs`],
  ];
  const asks = client.grantTypes.includes("authorization_code");
  if (asks) shown.push(["link", authorizeLink(client, base)]);
  return [
    `Send to the partner as well:\n\n${fields(shown)}`,
    ...(asks
      ? [
          `The link is for merchants. STATE and CODE_CHALLENGE are made anew for each of them: ${base}/docs/first-connection says how.`,
        ]
      : []),
    ...(publicBaseUrl
      ? []
      : [`${UNKNOWN_BASE} is the public address of Partner Connect, which is not known here: set PUBLIC_BASE_URL.`]),
  ].join("\n\n");
}

/** RFC 6749 §4.1.1, RFC 7636 §4.3: complete but for what the partner makes for each authorization. */
function authorizeLink({ clientId, redirectUris, scope }: ClientSummary, base: string): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? "",
    scope: scope.join(" "),
    state: "STATE",
    code_challenge: "CODE_CHALLENGE",
    code_challenge_method: "S256",
  });
  return `${base}/oauth/api/authorize?${query}`;
}
