import type { Actor } from "@partner-connect/audit";
import type { Connection, ConnectionKey } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { relativeTime } from "../../terminal/relative-time.ts";
import { connectionJson, findConnection, named } from "./connection-answer.ts";

type Make = (sql: Sql, connection: ConnectionKey, actor: Actor) => Promise<boolean>;

interface Change {
  /** Whether nothing would change. */
  readonly isMade: (connection: Connection) => boolean;
  /** What follows for the connection's tokens and its merchant. */
  readonly effect: string;
  readonly load: () => Promise<Make>;
}

export const REVOKE: Change = {
  isMade: ({ status }) => status === "revoked",
  effect: "ends for good: its tokens are refused from now on. The merchant may connect again",
  load: async () => {
    const { revoke } = await import("@partner-connect/connections");
    return (sql, key, actor) => revoke(sql, key, actor, { reason: "operator" });
  },
};

const DISABLE: Change = {
  isMade: ({ status }) => status === "disabled",
  effect: "is held: its tokens are refused, and the merchant can't connect it again until 'connection enable'",
  load: async () => (await import("@partner-connect/connections")).disable,
};

export function addChangeCommands(connection: Command, context: Context): void {
  destructive(connection.command("disable"))
    .description("Hold a connection: its tokens are refused, and the merchant can't connect it again until 'enable'")
    .argument("<connection>", "the connection's id")
    .action(
      onDatabase(context, (stack, id: string, consent: Consent) =>
        endConnection(context, stack, { id, change: DISABLE, consent }),
      ),
    );
  connection
    .command("enable")
    .description("End a hold: the connection is as it was before")
    .argument("<connection>", "the connection's id")
    .action(
      onDatabase(context, async (stack, id: string) => {
        const { enable } = await import("@partner-connect/connections");
        const { shopId } = await findConnection(stack, id);
        await enable(stack.sql, { shopId, id }, stack.actor);
        return changed(await findConnection(stack, id));
      }),
    );
}

interface Ended {
  readonly id: string;
  readonly change: Change;
  readonly consent: Consent;
}

/** Makes the change, unless it was made before, and answers the connection as it is then. */
export async function endConnection(
  context: Context,
  stack: OpenStack,
  { id, change, consent }: Ended,
): Promise<Answer> {
  const connection = await findConnection(stack, id);
  const effects = change.isMade(connection)
    ? []
    : [`Connection ${named(connection)} (${state(connection)}) ${change.effect}.`];
  return await carryOut(context, consent, effects, async () => {
    const make = await change.load();
    await make(stack.sql, { shopId: connection.shopId, id }, stack.actor);
    return changed(await findConnection(stack, id));
  });
}

function state({ status, lastUsedAt }: Connection): string {
  return lastUsedAt ? `${status}, last used ${relativeTime(lastUsedAt)}` : status;
}

function changed(connection: Connection): Answer {
  return { json: connectionJson(connection), text: `Connection ${connection.id} is ${connection.status}.` };
}
