import type { Actor } from "@partner-connect/audit";
import type { Connection, ConnectionKey, ListedConnection } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import type { examples } from "../../options/examples.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { withDatabase } from "../../run/database.ts";
import { operatorActor } from "../../run/operator-actor.ts";
import { relativeTime } from "../../terminal/relative-time.ts";
import { connectionJson, named, unknownConnection } from "./connection-answer.ts";

type Make = (sql: Sql, connection: ConnectionKey, actor: Actor) => Promise<boolean>;

interface Change {
  readonly verb: string;
  readonly description: string;
  /** Whether nothing would change. */
  readonly isMade: (connection: Connection) => boolean;
  /** What follows for the connection's tokens and its merchant. */
  readonly effect: string;
  readonly load: () => Promise<Make>;
}

const REVOKE: Change = {
  verb: "revoke",
  description: "End a connection: its tokens are refused from now on; the merchant may connect again",
  isMade: ({ status }) => status === "revoked",
  effect: "ends for good: its tokens are refused from now on. The merchant may connect again",
  load: async () => {
    const { revoke } = await import("@partner-connect/connections");
    return (sql, key, actor) => revoke(sql, key, actor, { reason: "operator" });
  },
};

const DISABLE: Change = {
  verb: "disable",
  description: "Hold a connection: its tokens are refused, and the merchant can't connect it again until 'enable'",
  isMade: ({ status }) => status === "disabled",
  effect: "is held: its tokens are refused, and the merchant can't connect it again until 'connection enable'",
  load: async () => (await import("@partner-connect/connections")).disable,
};

export function addChangeCommands(connection: Command, context: Context, shown: ReturnType<typeof examples>): void {
  for (const change of [REVOKE, DISABLE]) {
    destructive(connection.command(change.verb).description(change.description))
      .argument("<connection>", "the connection's id")
      .addHelpText("after", shown)
      .action(answer(context, (id: string, consent: Consent) => end(context, id, change, consent)));
  }
  connection
    .command("enable")
    .description("End a hold: the connection is as it was before")
    .argument("<connection>", "the connection's id")
    .addHelpText("after", shown)
    .action(
      answer(context, async (id: string) => {
        const { enable } = await import("@partner-connect/connections");
        return await withDatabase(context, async (sql, { refreshTokenTtlSeconds: ttl }) => {
          const { shopId } = await find(sql, id, ttl);
          await enable(sql, { shopId, id }, operatorActor(context));
          return changed(await find(sql, id, ttl));
        });
      }),
    );
}

/** Makes the change, unless it was made before, and answers the connection as it is then. */
async function end(context: Context, id: string, change: Change, consent: Consent): Promise<Answer> {
  return await withDatabase(context, async (sql, { refreshTokenTtlSeconds: ttl }) => {
    const connection = await find(sql, id, ttl);
    const effects = change.isMade(connection)
      ? []
      : [`Connection ${named(connection)} (${state(connection)}) ${change.effect}.`];
    return await carryOut(context, consent, effects, async () => {
      const make = await change.load();
      await make(sql, { shopId: connection.shopId, id }, operatorActor(context));
      return changed(await find(sql, id, ttl));
    });
  });
}

async function find(sql: Sql, id: string, ttl: number): Promise<ListedConnection> {
  const { listConnections } = await import("@partner-connect/connections");
  const [connection] = await listConnections(sql, { id }, ttl);
  if (!connection) throw unknownConnection(id);
  return connection;
}

function state({ status, lastUsedAt }: Connection): string {
  return lastUsedAt ? `${status}, last used ${relativeTime(lastUsedAt)}` : status;
}

function changed(connection: Connection): Answer {
  return { json: connectionJson(connection), text: `Connection ${connection.id} is ${connection.status}.` };
}
