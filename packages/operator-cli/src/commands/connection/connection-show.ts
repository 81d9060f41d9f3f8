import type { AuditRecord } from "@partner-connect/audit";
import type { ApiUsage, ListedConnection } from "@partner-connect/connections";
import { grantableScope } from "@partner-connect/contract";
import type { Command } from "commander";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, fields, table } from "../../terminal/table.ts";
import { connectionJson, findConnection } from "./connection-answer.ts";

type Usage = Pick<ApiUsage, "calls" | "records" | "refused" | "failed">;

interface Shown {
  readonly connection: ListedConnection;
  readonly lastDay: Usage;
  readonly lastMonth: Usage;
  readonly events: readonly AuditRecord[];
}

const NONE: Usage = { calls: 0, records: 0, refused: 0, failed: 0 };
const EVENTS = 10;

export function addShowCommand(connection: Command, context: Context): void {
  connection
    .command("show")
    .description("Show all about a connection: what it may, what it does, and what happened to it")
    .argument("<connection>", "the connection's id")
    .action(onDatabase(context, async (stack, id: string) => showAnswer(await read(stack, id))));
}

async function read(stack: OpenStack, id: string): Promise<Shown> {
  const { usageOfShop } = await import("@partner-connect/connections");
  const { listAudit } = await import("@partner-connect/audit");
  const { sql } = stack;
  const connection = await findConnection(stack, id);
  const { shopId } = connection;
  const usage = async (hours: number) => (await usageOfShop(sql, shopId, hours)).get(id) ?? NONE;
  return {
    connection,
    lastDay: await usage(24),
    lastMonth: await usage(30 * 24),
    events: await listAudit(sql, { shopId, connectionId: id, limit: EVENTS }),
  };
}

function showAnswer({ connection, lastDay, lastMonth, events }: Shown): Answer {
  const effective = effectiveScope(connection);
  const json = {
    ...connectionJson(connection),
    client_name: connection.clientName,
    client_status: connection.clientStatus,
    shop_name: connection.shopName,
    plan: connection.plan,
    effective_scope: effective,
    redirect_uri: connection.redirectUri,
    approved_by: { id: connection.merchantId, name: connection.merchantName },
    approved_at: connection.approvedAt.toISOString(),
    expires_at: connection.expiresAt?.toISOString() ?? null,
    usage: { last_24_hours: usageJson(lastDay), last_30_days: usageJson(lastMonth) },
    events: events.map(({ at, actor, action, requestId, ip, detail }) => ({
      at: at.toISOString(),
      actor,
      action,
      request_id: requestId,
      ip,
      detail,
    })),
  };
  return { json, text: paragraphs(details(connection, effective, lastDay, lastMonth), eventTable(events)) };
}

/** What an access token that is issued now may have: the connection's scope, where the client and the shop's plan still have it. */
function effectiveScope({ scope, clientScope, plan }: ListedConnection): string {
  return grantableScope(scope, clientScope, plan).join(" ");
}

function details(connection: ListedConnection, effective: string, lastDay: Usage, lastMonth: Usage): string {
  const { clientName, clientId, clientStatus, shopName, shopId, plan, merchantName, merchantId } = connection;
  const scope = connection.scope.join(" ");
  const disabled = clientStatus === "disabled" ? ", which is disabled: its tokens are refused" : "";
  return fields([
    ["id", connection.id],
    ["status", connection.status],
    ["client", `${clientName} (${clientId})${disabled}`],
    ["shop", `${shopName} (${shopId}), plan ${plan}`],
    ["scope", scope],
    [
      "effective scope",
      effective === scope ? "the same" : `${effective || "none"}: the client or the shop's plan lacks the rest`,
    ],
    ["approved by", `${merchantName} (${merchantId})`],
    ["approved", connection.approvedAt],
    ["connected", connection.connectedAt ?? "not finished yet"],
    ["last used", connection.lastUsedAt ?? "never"],
    ["expires", connection.expiresAt],
    ["redirect URI", connection.redirectUri],
    ["last 24 hours", usageText(lastDay)],
    ["last 30 days", usageText(lastMonth)],
  ]);
}

function usageText({ calls, records, refused, failed }: Usage): string {
  if (calls === 0) return "no call of the API";
  return `${countOf(calls, "call")}, ${countOf(records, "record")}, ${refused} refused, ${failed} failed`;
}

function usageJson({ calls, records, refused, failed }: Usage): Usage {
  return { calls, records, refused, failed };
}

function eventTable(events: readonly AuditRecord[]) {
  return table(
    ["AT", "ACTION", cutColumn("BY"), extraColumn("IP"), extraColumn("REQUEST")],
    events.map(({ at, action, actor, actorName, ip, requestId }) => [
      at,
      action,
      actorName === null ? actor : `${actorName} (${actor})`,
      ip,
      requestId,
    ]),
    "Nothing is recorded of it.",
  );
}
