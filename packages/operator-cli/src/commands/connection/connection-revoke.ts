import type { ConnectionsOf } from "@partner-connect/connections";
import type { Command } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";
import { countedInTime, inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { endConnection, REVOKE } from "./connection-change.ts";

interface Revoke extends Consent {
  readonly client?: string;
  readonly shop?: string;
}

export function addRevokeCommand(connection: Command, context: Context): void {
  destructive(connection.command("revoke"))
    .description(
      "End a connection, or all of a client or a shop: tokens are refused from now on; merchants may connect again",
    )
    .argument("[connection]", "the connection's id")
    .option("--client <client>", "all connections of this client, by its id or whole name; disable it first")
    .option("--shop <shop>", "all connections of this shop, by its id or whole name")
    .action(
      onDatabase(context, async (stack, id: string | undefined, { client, shop, ...consent }: Revoke) => {
        const isOne = id !== undefined;
        if (isOne === (client !== undefined || shop !== undefined)) {
          throw new UsageError("give a connection's id, or --client, --shop or both");
        }
        if (isOne) return await endConnection(context, stack, { id, change: REVOKE, consent });
        return await revokeAllOf(context, stack, { client, shop, consent });
      }),
    );
}

interface Wanted {
  readonly client?: string | undefined;
  readonly shop?: string | undefined;
  readonly consent: Consent;
}

async function revokeAllOf(context: Context, { sql, actor }: OpenStack, wanted: Wanted): Promise<Answer> {
  const { clientByIdOrName, shopByIdOrName } = await import("@partner-connect/directory");
  const { countRevocable, revokeAll } = await import("@partner-connect/connections");
  const client = wanted.client === undefined ? undefined : await clientByIdOrName(sql, wanted.client);
  const shop = wanted.shop === undefined ? undefined : await shopByIdOrName(sql, wanted.shop);
  const whose = [client, shop].flatMap((each) => (each ? [`${each.name} (${each.id})`] : [])).join(" with ");
  const of = { clientId: client?.id, shopId: shop?.id } as ConnectionsOf;
  const total = await countedInTime(countRevocable(sql, of));
  const all = total === null ? "All connections" : countOf(total, "connection");
  const effects =
    total === 0
      ? []
      : [`${all} of ${whose} will end for good. Tokens are refused at once; merchants may connect again.`];
  return await carryOut(context, wanted.consent, effects, async () => {
    const revoked = await inSteps(context, { noun: "connection", total }, (onProgress) =>
      revokeAll(sql, of, actor, { onProgress }),
    );
    return {
      json: { client_id: client?.id ?? null, shop_id: shop?.id ?? null, revoked },
      text:
        revoked === 0 ? `No connection of ${whose} was left.` : `Ended ${countOf(revoked, "connection")} of ${whose}.`,
    };
  });
}
