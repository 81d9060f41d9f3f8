import { type Command, Option } from "@commander-js/extra-typings";
import { listAudit } from "@partner-connect/audit";
import {
  type ApiUsage,
  type ConnectionsOf,
  countRevocable,
  disable,
  enable,
  type ListedConnection,
  listConnections,
  revoke,
  revokeAll,
  usageOfShop,
} from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import { idsOf } from "@partner-connect/directory";
import {
  type Answer,
  addList,
  CLIENT,
  type Cli,
  type Consent,
  listAnswer,
  OF_CLIENT,
  type OpenStack,
  SHOP,
  SHOP_OPTION,
  YES,
} from "../cli.ts";
import { OperatorError, UsageError } from "../errors.ts";
import { countOf, fields, jsonOf, table } from "../print.ts";
import { withProgress } from "../progress.ts";

const CONNECTION = ["<connection>", "the connection's id"] as const;
const STATUSES = ["connected", "approved", "expired", "revoked", "disabled"] as const;
const HELD = "Nobody can connect it again until 'connection enable'.";

export default function addConnectionCommands(connection: Command, cli: Cli): void {
  const listCommand = addList(connection, "the client's or the shop's name")
    .description("List connections, including ended ones, the newest last")
    .option(...SHOP_OPTION)
    .option(...OF_CLIENT)
    .addOption(
      new Option("--status <status>", "only the connections in this state").choices(STATUSES),
    );
  cli.setSqlAction(
    listCommand,
    async ({ sql, refreshTokenTtlSeconds }, { shop, client, status, ...asked }) => {
      const filter = { ...(await idsOf(sql, { shop, client })), status };
      return await listAnswer(asked, {
        read: (page) => listConnections(sql, { ...filter, ...page }, refreshTokenTtlSeconds),
        json: connectionJson,
        head: ["ID", "CLIENT", "SHOP", "STATUS", "LAST REFRESHED"],
        cells: (each) => [
          each.id,
          each.clientName,
          each.shopName,
          each.clientStatus === "disabled" && each.status === "connected"
            ? "disabled (client)"
            : statusOf(each),
          each.lastUsedAt ?? "never",
        ],
        none: "There are no such connections.",
      });
    },
  );
  const showCommand = connection
    .command("show")
    .description("Show a connection: its permissions, usage and history")
    .argument(...CONNECTION);
  cli.setSqlAction(showCommand, show);
  const revokeCommand = connection
    .command("revoke")
    .description("End a connection, or all of a client or shop; merchants can connect again")
    .argument("[connection]", "the connection's id")
    .option("--client <client>", `all connections of this client: ${CLIENT[1]}; disable it first`)
    .option("--shop <shop>", `all connections of this shop: ${SHOP[1]}`)
    .option("--reason <text>", "why; it is mailed to the shop's members and recorded")
    .option(...YES);
  cli.setSqlAction(revokeCommand, async (stack, id, { client, shop, reason, ...consent }) => {
    if ((id !== undefined) === (client !== undefined || shop !== undefined)) {
      throw new UsageError("give a connection's id, or --client, --shop or both");
    }
    if (id === undefined) return await revokeAllOf(cli, stack, { client, shop, reason }, consent);
    const found = await findConnection(stack, id);
    const again = found.status === "disabled" ? HELD : "The merchant can connect again.";
    const effect = `Connection ${describeConnection(found)} ends for good: its tokens are refused from now on. ${again}`;
    await cli.confirm(consent, found.isRevoked ? [] : [effect]);
    await revoke(stack.sql, found, stack.actor, { reason });
    return await statusAnswer(stack, id);
  });
  const disableCommand = connection
    .command("disable")
    .description("Put a connection on hold until 'enable': tokens and new approvals are refused")
    .argument(...CONNECTION)
    .option(...YES);
  cli.setSqlAction(disableCommand, async (stack, id, consent) => {
    const found = await findConnection(stack, id);
    const effect = `Connection ${describeConnection(found)} is put on hold: its tokens are refused, and the merchant can't connect it again until 'connection enable'.`;
    await cli.confirm(consent, found.status === "disabled" ? [] : [effect]);
    await disable(stack.sql, found, stack.actor);
    return await statusAnswer(stack, id);
  });
  const enableCommand = connection
    .command("enable")
    .description("End the hold of a connection, which then has its former status")
    .argument(...CONNECTION);
  cli.setSqlAction(enableCommand, async (stack, id) => {
    await enable(stack.sql, await findConnection(stack, id), stack.actor);
    return await statusAnswer(stack, id);
  });
}

/** @throws {OperatorError} UNKNOWN_CONNECTION */
async function findConnection({ sql, refreshTokenTtlSeconds }: OpenStack, id: string) {
  const [connection] = await listConnections(sql, { id }, refreshTokenTtlSeconds);
  if (connection) return connection;
  throw new OperatorError(`there is no connection ${JSON.stringify(id)}`, {
    code: "UNKNOWN_CONNECTION",
  });
}

/** 'con_1 of Acme Analytics with Hats (connected, last refreshed …)' */
function describeConnection(connection: ListedConnection): string {
  const { id, clientName, shopName, status, lastUsedAt } = connection;
  const used = lastUsedAt ? `, last refreshed ${lastUsedAt.toISOString()}` : "";
  return `${id} of ${clientName} with ${shopName} (${status}${used})`;
}

const statusOf = ({ status, isRevoked }: ListedConnection) =>
  status === "disabled" && isRevoked ? "disabled (revoked)" : status;

async function statusAnswer(stack: OpenStack, id: string): Promise<Answer> {
  const found = await findConnection(stack, id);
  const hold = found.status === "disabled" ? ` ${HELD}` : "";
  return { json: connectionJson(found), text: `Connection ${id} is ${statusOf(found)}.${hold}` };
}

function connectionJson(connection: ListedConnection) {
  return {
    ...jsonOf(connection, "id", "clientId", "clientStatus", "shopId", "status"),
    ...jsonOf(connection, "connectedAt", "lastUsedAt"),
    scope: connection.scope.join(" "),
  };
}

async function revokeAllOf(
  cli: Cli,
  { sql, actor }: OpenStack,
  { reason, ...whose }: Parameters<typeof idsOf>[1] & { readonly reason: string | undefined },
  consent: Consent,
): Promise<Answer> {
  const { shopId, clientId } = await idsOf(sql, whose);
  const of = { clientId, shopId } as ConnectionsOf;
  const who = [clientId, shopId].filter((id) => id !== undefined).join(" with ");
  // Null if the count timed out; an emergency revocation must not wait for it.
  const total = await countRevocable(sql, of).catch((error: { code?: unknown }) => {
    if (error.code === "57014") return null;
    throw error;
  });
  const all = total === null ? "All connections" : countOf(total, "connection");
  const effect = `${all} of ${who} will end for good. Tokens are refused at once; merchants can connect again.`;
  await cli.confirm(consent, total === 0 ? [] : [effect]);
  const revoked = await withProgress(cli.terminal, { noun: "connection", total }, (onProgress) =>
    revokeAll(sql, of, actor, { onProgress, reason }),
  );
  return {
    json: { client_id: clientId ?? null, shop_id: shopId ?? null, revoked },
    text:
      revoked === 0
        ? `No connection of ${who} was left.`
        : `Ended ${countOf(revoked, "connection")} of ${who}.`,
  };
}

async function show(stack: OpenStack, id: string): Promise<Answer> {
  const { sql } = stack;
  const connection = await findConnection(stack, id);
  const { shopId, clientName, shopName, plan, merchantName, merchantId } = connection;
  const usage = async (hours: number): Promise<ApiUsage> => {
    const none = { calls: 0, records: 0, refused: 0, failed: 0 };
    return (await usageOfShop(sql, shopId, hours)).get(id) ?? none;
  };
  const [lastDay, lastMonth] = [await usage(24), await usage(30 * 24)];
  const events = await listAudit(sql, { shopId, connectionId: id, limit: 10 });
  const about = connectionJson(connection);
  // The scopes of an access token issued now: the connection's, without those that the client or the
  // shop's plan has lost.
  const effective = grantableScope(connection.scope, connection.clientScope, plan).join(" ");
  const lacking = `${effective || "none"}: the client or the shop's plan lacks the rest`;
  const isRefused =
    connection.clientStatus === "disabled" ? ", which is disabled: its tokens are refused" : "";
  return {
    json: {
      ...about,
      ...jsonOf(connection, "clientName", "shopName", "plan"),
      ...jsonOf(connection, "redirectUri", "approvedAt", "expiresAt"),
      effective_scope: effective,
      approved_by: { id: merchantId, name: merchantName },
      usage: { last_24_hours: lastDay, last_30_days: lastMonth },
      events: events.map((event) =>
        jsonOf(event, "at", "actor", "action", "requestId", "ip", "detail"),
      ),
    },
    text: `${fields({
      id,
      status: statusOf(connection),
      client: `${clientName} (${connection.clientId})${isRefused}`,
      shop: `${shopName} (${shopId}), plan ${plan}`,
      scope: about.scope,
      "effective scope": effective === about.scope ? "the same" : lacking,
      "approved by": `${merchantName} (${merchantId})`,
      approved: connection.approvedAt,
      connected: connection.connectedAt ?? "not finished yet",
      "last refreshed": connection.lastUsedAt ?? "never",
      expires: connection.expiresAt,
      "redirect URI": connection.redirectUri,
      "last 24 hours": usageText(lastDay),
      "last 30 days": usageText(lastMonth),
    })}\n\n${table(
      ["AT", "ACTION", "BY", "IP"],
      events.map(({ at, action, actor, actorName, ip }) => [
        at,
        action,
        actorName ? `${actorName} (${actor})` : actor,
        ip,
      ]),
      "The audit log has no record of it.",
    )}`,
  };
}

function usageText({ calls, records, refused, failed }: ApiUsage): string {
  if (calls === 0) return "no API calls";
  return `${countOf(calls, "call")}, ${countOf(records, "record")}, ${refused} refused, ${failed} failed`;
}

export const EXAMPLES = `
  $ partner-connect connection list --client client_5d2c… --status connected --limit 20
  $ partner-connect connection list --search hats --limit 20 --after con_0195…
  $ partner-connect connection revoke --client client_5d2c… --yes`;
