import type { Sql } from "@partner-connect/database";
import type { Client, ClientDetails } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import type { examples } from "../../options/examples.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { operatorActor } from "../../run/operator-actor.ts";
import type { Stack } from "../../run/stack.ts";
import { clientJson } from "./client-answer.ts";
import { countsOf, plural } from "./connection-counts.ts";

export function addStatusCommands(client: Command, context: Context, shown: ReturnType<typeof examples>): void {
  destructive(client.command("disable").description("Refuse a client: its access tokens at once, the rest in a second"))
    .argument("<client>", "the client's id")
    .addHelpText("after", shown)
    .action(
      answer(context, (id: string, consent: Consent) =>
        withDatabase(context, async (sql, stack) => {
          const { clientDetails } = await import("@partner-connect/directory");
          const effects = await disableEffects(sql, stack, await clientDetails(sql, id));
          return await carryOut(context, consent, effects, () => setStatus(context, sql, id, "disabled"));
        }),
      ),
    );
  client
    .command("enable")
    .description("Let a disabled client work again, with the connections that it had")
    .argument("<client>", "the client's id")
    .option("--allow-duplicate-name", "although merchants can't tell it from another active client by its name")
    .addHelpText("after", shown)
    .action(
      answer(context, (id: string, { allowDuplicateName }: { allowDuplicateName?: boolean }) =>
        withDatabase(context, (sql) => setStatus(context, sql, id, "active", allowDuplicateName)),
      ),
    );
}

async function disableEffects(sql: Sql, stack: Stack, { client }: ClientDetails): Promise<string[]> {
  if (client.status === "disabled") return [];
  const { connected } = await countsOf(sql, client.clientId, stack);
  const stop =
    connected === 0
      ? "nothing is connected"
      : `${plural(connected, "connection")} of merchants stop${connected === 1 ? "s" : ""} working`;
  return [`Client ${client.name} (${client.clientId}) is refused everywhere: ${stop}, until 'client enable'.`];
}

async function setStatus(
  context: Context,
  sql: Sql,
  id: string,
  status: Client["status"],
  allowDuplicateName?: boolean,
): Promise<Answer> {
  const { setClientStatus } = await import("@partner-connect/directory");
  const changed = await setClientStatus(sql, id, status, operatorActor(context), allowDuplicateName);
  return {
    json: { ...clientJson(changed), status: changed.status },
    text: `Client ${changed.name} (${changed.clientId}) is ${changed.status}.`,
  };
}
