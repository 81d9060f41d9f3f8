import type { Command } from "@commander-js/extra-typings";
import { countConnections } from "@partner-connect/connections";
import {
  type ActivityKind,
  activityOfClient,
  type HourlyActivity,
  REFUSAL_KINDS,
  type RefusalKind,
} from "@partner-connect/connections/activity";
import { listWebhooks } from "@partner-connect/connections/webhooks";
import { type ClientSummary, clientByIdOrName, clientDetails } from "@partner-connect/directory";
import { CLIENT, type Cli } from "../cli.ts";
import { fields, jsonOf, table } from "../print.ts";
import { pastTimeParser, TIME } from "../values.ts";
import { WEBHOOK_TABLE, webhookJson } from "./webhook.ts";

export function addClientShow(client: Command, cli: Cli): void {
  const command = client
    .command("show")
    .description("Show a client: its identity, redirect URIs, secrets, connections and webhooks")
    .argument(...CLIENT);
  cli.setSqlAction(command, async (stack, given) => {
    const { id } = await clientByIdOrName(stack.sql, given);
    const details = await clientDetails(stack.sql, id);
    const counts = await countConnections(stack.sql, id, stack.refreshTokenTtlSeconds);
    const connections = { connected: 0, approved: 0, expired: 0, revoked: 0, disabled: 0 };
    for (const { status, connections: count } of counts) connections[status] = count;
    const webhooks = await listWebhooks(stack.sql, { clientId: id });
    const { secrets } = details;
    const some = Object.entries(connections).filter(([, count]) => count > 0);
    return {
      json: {
        ...wholeClientJson(details.client),
        created_at: details.createdAt,
        secrets: secrets.map((secret) => jsonOf(secret, "createdAt", "expiresAt", "lastUsedAt")),
        connections,
        webhooks: webhooks.map(webhookJson),
      },
      text: [
        fields({
          ...clientFields(details.client, stack.publicBaseUrl),
          created: details.createdAt,
          connections: some.map(([status, count]) => `${count} ${status}`).join(", ") || "none",
        }),
        table(
          ["SECRET MADE", "LAST USED (HOUR)", "WORKS UNTIL"],
          secrets.map((each) => [
            each.createdAt,
            each.lastUsedAt ?? "not yet",
            each.expiresAt ?? "it is rotated",
          ]),
          "The client has no valid secret.",
        ),
        table(WEBHOOK_TABLE.head, webhooks.map(WEBHOOK_TABLE.cells), WEBHOOK_TABLE.none),
      ].join("\n\n"),
    };
  });
}

export function clientJson(client: ClientSummary) {
  return {
    ...jsonOf(client, "clientId", "name", "redirectUris", "grantTypes"),
    scope: client.scope.join(" "),
  };
}

/** The client's JSON with its status, and with its publisher and logo as merchants see them. */
export function wholeClientJson(client: ClientSummary) {
  return {
    ...clientJson(client),
    ...jsonOf(client, "status", "publisher", "website", "privacyPolicy", "contact"),
    /** A path below the public base URL. */
    logo: client.logoPath,
  };
}

/** The fields of {@link wholeClientJson} for people, with the logo's URL. */
export function clientFields(client: ClientSummary, publicBaseUrl: string | null) {
  return {
    ...wholeClientJson(client),
    logo: client.logoPath && `${publicBaseUrl ?? ""}${client.logoPath}`,
  };
}

export function addClientActivity(client: Command, cli: Cli): void {
  const command = client
    .command("activity")
    .description("Show a client's calls, records, refusals and refreshes by the hour")
    .argument(...CLIENT)
    .option(
      "--since <time>",
      `${TIME}; the whole hour is included (default: 24h)`,
      pastTimeParser("--since"),
    );
  cli.setSqlAction(
    command,
    async ({ sql }, given, { since = new Date(Date.now() - 24 * HOUR_MS) }) => {
      const from = new Date(since.getTime() - (since.getTime() % HOUR_MS));
      const { id, name } = await clientByIdOrName(sql, given);
      const found = await activityOfClient(sql, id, from);
      const hours = [...Map.groupBy(found, ({ hour }) => hour.toISOString())];
      const rows = hours.map(([hour, counts]) => ({ hour, ...sumActivity(counts) }));
      const total = sumActivity(found);
      const lines = rows.map(({ hour, ...numbers }) => activityRow(hour.slice(0, 16), numbers));
      const shown = lines.length === 0 ? [] : [...lines, activityRow("all", total)];
      const none = `${name} (${id}) has had no activity since ${from.toISOString()}.`;
      return {
        json: { client_id: id, since: from.toISOString(), hours: rows, total },
        text: table(ACTIVITY, shown, none),
      };
    },
  );
}

const HOUR_MS = 3_600_000;
const ACTIVITY = "HOUR (UTC),CALLS,RECORDS,4XX,429,5XX,REFRESHES,EXCHANGES,NO TOKEN,WHY".split(",");

/** Counts by reason. */
type Counts = Readonly<Record<string, number>>;

/** Sums the hours' counts: by kind, and those of refusals also by reason. */
function sumActivity(found: readonly HourlyActivity[]) {
  const by = (wanted: ActivityKind): Counts => {
    const counts: Record<string, number> = {};
    for (const { what, reason, count } of found)
      if (what === wanted) counts[reason] = (counts[reason] ?? 0) + count;
    return counts;
  };
  const totals = { calls: sum(by("calls")), records: sum(by("records")) };
  const tokens = { refreshes: sum(by("refreshes")), exchanges: sum(by("exchanges")) };
  const reasons = Object.fromEntries(REFUSAL_KINDS.map((kind) => [kind, by(kind)]));
  return { ...totals, ...tokens, ...(reasons as Record<RefusalKind, Counts>) };
}

function activityRow(hour: string, of: ReturnType<typeof sumActivity>) {
  const { calls, records, refreshes, exchanges, ...reasons } = of;
  const why = Object.values(reasons).flatMap((counts) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${reason} ${count}`),
  );
  const refusals = [of.refused, of.limited, of.failed].map(sum);
  const noToken = sum(of.token_refused) + sum(of.token_failed);
  return [hour, calls, records, ...refusals, refreshes, exchanges, noToken, why.join(", ")];
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}
