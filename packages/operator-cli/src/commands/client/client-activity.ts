import type { ActivityKind, HourlyActivity } from "@partner-connect/connections/activity";
import type { Command } from "commander";
import { parseSince } from "../../options/values.ts";
import { type Answer, onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { cutColumn, table } from "../../terminal/table.ts";

export function addActivityCommand(client: Command, context: Context): void {
  client
    .command("activity")
    .description("Show what a client did by the hour, over all its connections: calls, records, refusals, refreshes")
    .argument("<client>", "the client's id or whole name")
    .option("--since <time>", "2h, 3d, 09:00, 2026-11-22, or RFC 3339; the hour that it is in counts whole", "24h")
    .action(
      onDatabase(context, async ({ sql }, given: string, { since }: { since: string }) => {
        const { activityOfClient } = await import("@partner-connect/connections/activity");
        const { clientByIdOrName } = await import("@partner-connect/directory");
        const from = hourOf(parseSince(since));
        const { id, name } = await clientByIdOrName(sql, given);
        return activityAnswer({ id, name, from }, await activityOfClient(sql, id, from));
      }),
    );
}

const HOUR_MS = 3_600_000;

function hourOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % HOUR_MS));
}

interface Asked {
  readonly id: string;
  readonly name: string;
  readonly from: Date;
}

function activityAnswer({ id, name, from }: Asked, found: readonly HourlyActivity[]): Answer {
  const hours = Map.groupBy(found, ({ hour }) => hour.getTime());
  const rows = [...hours].map(([hour, numbers]) => ({ hour: new Date(hour).toISOString(), ...numbersOf(numbers) }));
  const total = numbersOf(found);
  const cells = (time: string, of: ReturnType<typeof numbersOf>) => [
    time,
    ...[of.calls, of.records, sum(of.refused), sum(of.limited), sum(of.failed), of.refreshes, of.exchanges].map(String),
    String(sum(of.token_refused) + sum(of.token_failed)),
    [of.refused, of.limited, of.failed, of.token_refused, of.token_failed, of.authorize_refused]
      .map(told)
      .filter(Boolean)
      .join(", ") || null,
  ];
  return {
    json: { client_id: id, since: from.toISOString(), hours: rows, total },
    text: table(
      ["HOUR (UTC)", "CALLS", "RECORDS", "4XX", "429", "5XX", "REFRESHES", "EXCHANGES", "NO TOKEN", cutColumn("WHY")],
      [...rows.map((row) => cells(row.hour.slice(0, 16), row)), cells("all", total)].slice(rows.length === 0 ? 1 : 0),
      `${name} (${id}) did nothing since ${from.toISOString()}.`,
    ),
  };
}

/** Of one hour, or of all. */
function numbersOf(found: readonly HourlyActivity[]) {
  const count = (what: ActivityKind) => byReason(found, what)[""] ?? 0;
  return {
    calls: count("calls"),
    records: count("records"),
    refused: byReason(found, "refused"),
    limited: byReason(found, "limited"),
    failed: byReason(found, "failed"),
    refreshes: count("refreshes"),
    exchanges: count("exchanges"),
    token_refused: byReason(found, "token_refused"),
    token_failed: byReason(found, "token_failed"),
    authorize_refused: byReason(found, "authorize_refused"),
  };
}

function byReason(found: readonly HourlyActivity[], wanted: ActivityKind): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { what, reason, count } of found) {
    if (what === wanted) counts[reason] = (counts[reason] ?? 0) + count;
  }
  return counts;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

/** 'connection_revoked 3, plan_lacks_scope 1' */
function told(counts: Readonly<Record<string, number>>): string {
  const most = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  return most.map(([reason, count]) => `${reason} ${count}`).join(", ");
}
