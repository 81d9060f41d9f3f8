import type { Client, ClientDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { countedInTime } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { clientJson } from "./client-answer.ts";
import { countsOf } from "./connection-counts.ts";

export function addStatusCommands(client: Command, context: Context): void {
  destructive(client.command("disable").description("Refuse a client: its access tokens at once, the rest in a second"))
    .argument("<client>", "the client's id")
    .action(
      onDatabase(context, async (stack, id: string, consent: Consent) => {
        const { clientDetails } = await import("@partner-connect/directory");
        const effects = await disableEffects(stack, await clientDetails(stack.sql, id), consent);
        return await carryOut(context, consent, effects, async () => {
          const { json, text } = await setStatus(stack, id, "disabled");
          return { json, text: effects.length === 0 ? text : `${text} ${await stopped(stack, id)}` };
        });
      }),
    );
  client
    .command("enable")
    .description("Let a disabled client work again, with the connections that it had")
    .argument("<client>", "the client's id")
    .option("--allow-duplicate-name", "although merchants can't tell it from another active client by its name")
    .action(
      onDatabase(context, (stack, id: string, { allowDuplicateName }: { allowDuplicateName?: boolean }) =>
        setStatus(stack, id, "active", allowDuplicateName),
      ),
    );
}

/** An emergency waits for no count: see {@link stopped}. A dry run counts, as it does nothing else. */
async function disableEffects(stack: OpenStack, { client }: ClientDetails, { dryRun }: Consent): Promise<string[]> {
  if (client.status === "disabled") return [];
  const stop = dryRun ? [await stopped(stack, client.clientId)] : [];
  return [
    `Client ${client.name} (${client.clientId}) is refused everywhere, with all its connections, until 'client enable'.`,
    ...stop,
  ];
}

/** What stops working with the client: a sentence. */
async function stopped(stack: OpenStack, clientId: string): Promise<string> {
  const connected = await countedInTime(countsOf(stack, clientId).then((counts) => counts.connected));
  if (connected === null) return "How many connections that concerns could not be counted in time.";
  return connected === 0
    ? "Nothing is connected."
    : `${countOf(connected, "connection")} of merchants stop${connected === 1 ? "s" : ""} working.`;
}

async function setStatus(
  { sql, actor }: OpenStack,
  id: string,
  status: Client["status"],
  allowDuplicateName?: boolean,
): Promise<Answer> {
  const { setClientStatus } = await import("@partner-connect/directory");
  const changed = await setClientStatus(sql, id, status, actor, allowDuplicateName);
  return {
    json: { ...clientJson(changed), status: changed.status },
    text: `Client ${changed.name} (${changed.clientId}) is ${changed.status}.`,
  };
}
