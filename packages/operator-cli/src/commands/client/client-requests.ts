import type { ClientRequest } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { fields } from "../../terminal/table.ts";
import { clientFields, wholeClientJson } from "./client-answer.ts";
import { updateEffects } from "./client-update-effects.ts";
import { countsOf } from "./connection-counts.ts";
import { requestWarnings } from "./request-warnings.ts";

interface Approve extends Consent {
  readonly allowDuplicateName?: boolean;
}

/** What partners ask to change of their clients, and an operator's decision. */
export function addRequestCommands(client: Command, context: Context): void {
  client
    .command("requests")
    .description("List what partners ask to change of their clients, the oldest first, with what to look at")
    .argument("[client]", "only those of this client: its id or whole name")
    .action(
      onDatabase(context, async ({ sql }, given?: string) => {
        const { clientByIdOrName, openRequests } = await import("@partner-connect/directory");
        const found = await openRequests(
          sql,
          given === undefined ? undefined : (await clientByIdOrName(sql, given)).id,
        );
        const all = [];
        for (const request of found) all.push({ request, warnings: await requestWarnings(sql, request) });
        const text = paragraphs(...all.map(({ request, warnings }) => fields(requestFields(request, warnings))));
        return {
          json: all.map(({ request, warnings }) => ({ ...requestJson(request), warnings })),
          text: all.length === 0 ? "No request waits." : text,
        };
      }),
    );
  destructive(client.command("approve").description("Change a client as its partner asks, and tell who asked"))
    .argument("<request>", "the request's id")
    .option("--allow-duplicate-name", "although merchants can't tell it from another active client by its name")
    .action(onDatabase(context, (stack, id: string, given: Approve) => approve(context, stack, id, given)));
  client
    .command("decline")
    .description("Leave a client as it is, and tell who asked why")
    .argument("<request>", "the request's id")
    .requiredOption("--reason <text>", "as the partner reads it; at most 500 characters")
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, { reason }: { reason: string }) => {
        const { declineRequest } = await import("@partner-connect/directory");
        await declineRequest(sql, id, reason, actor);
        return { json: { request: id, status: "declined", reason }, text: `The request ${id} is declined.` };
      }),
    );
}

async function approve(context: Context, stack: OpenStack, id: string, { allowDuplicateName, ...consent }: Approve) {
  const { sql, actor } = stack;
  const directory = await import("@partner-connect/directory");
  const request = await directory.requireOpenRequest(sql, id);
  const given = await directory.requestedLogo(sql, id);
  const logo = given ? await (await import("./logo/logo-image.ts")).makeLogo(given) : undefined;
  const { client: before } = await directory.clientDetails(sql, request.clientId);
  const after = directory.updatedClient(before, { ...directory.requestedUpdate(before, request.changes), logo });
  const { effects } = updateEffects(before, after, await countsOf(stack, request.clientId), context.config);
  const warnings = (await requestWarnings(sql, request)).map((warning) => `Warning: ${warning}.`);
  return await carryOut(context, consent, [...effects, ...warnings], async () => {
    const client = await directory.approveRequest(sql, id, { logo, allowDuplicateName }, actor);
    const text = `Client ${client.name} is changed as it was asked.\n\n${fields(clientFields(client, stack.publicBaseUrl))}`;
    return { json: { request: id, status: "approved", client: wholeClientJson(client) }, text };
  });
}

function requestJson({ id, clientId, clientName, changes, askedBy, createdAt }: ClientRequest) {
  return {
    id,
    client_id: clientId,
    client: clientName,
    asked_by: askedBy,
    asked_at: createdAt.toISOString(),
    changes,
  };
}

function requestFields(request: ClientRequest, warnings: readonly string[]) {
  const { name, redirect_uris, scope, logo } = request.changes;
  return [
    ["request", request.id],
    ["client", `${request.clientName} (${request.clientId})`],
    ["asked by", `${request.askedBy.name} <${request.askedBy.email}>`],
    ["asked", request.createdAt],
    ...(name ? [["name", name.from] as const, ["new name", name.to] as const] : []),
    ...(redirect_uris?.added ?? []).map((uri) => ["adds the URI", uri] as const),
    ...(redirect_uris?.removed ?? []).map((uri) => ["removes the URI", uri] as const),
    ...(scope?.added ?? []).map((value) => ["adds the scope", value] as const),
    ...(scope?.removed ?? []).map((value) => ["removes the scope", value] as const),
    ...(logo ? [["logo", `${logo.from ?? "none"} → another`] as const] : []),
    ...warnings.map((warning) => ["warning", warning] as const),
  ] as const;
}
