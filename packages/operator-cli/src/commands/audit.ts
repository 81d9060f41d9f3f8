import type { AuditFilter, AuditRecord } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { commandGroup } from "../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../options/list-page.ts";
import { parseSince } from "../options/values.ts";
import { answer, withDatabase } from "../run/command.ts";
import { type Context, OperatorError, UsageError } from "../run/context.ts";
import { cutColumn, extraColumn, table } from "../terminal/table.ts";

export function addAuditCommands(program: Command, context: Context): void {
  const audit = commandGroup(program, "audit", "Who did what: operators, merchants, clients and the system", EXAMPLES);
  listing(
    audit.command("list").description("List what was done, the newest first"),
    "<record>",
    "actor, action or detail",
  )
    .option("--shop <shop>", "only what concerns this shop")
    .option("--client <client>", "only what concerns this client")
    .option("--merchant <email>", "only what this merchant did, and what was done to the account; an id will do too")
    .option("--actor <actor>", "only what this one did: operator:<name>, merchant:<id>, client:<id> or system")
    .option("--since <time>", "2h, 3d, 09:00, 2026-11-22, or RFC 3339; without an offset in this machine's time zone")
    .option("--until <time>", "only what is older than this time")
    .option("--action <action>", "only this, such as revoke, client_update or merchant_sign_in")
    .option("--request <id>", "only what came of this request, by its x-request-id; quicker with --since")
    .action(auditList(context));
}

interface Wanted extends PageOptions {
  readonly shop?: string;
  readonly client?: string;
  readonly merchant?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly request?: string;
  readonly since?: string;
  readonly until?: string;
}

function auditList(context: Context) {
  return answer(context, async (wanted: Wanted) => {
    const { AUDIT_ACTIONS, listAudit } = await import("@partner-connect/audit");
    const action = AUDIT_ACTIONS.find((known) => known === wanted.action);
    if (wanted.action !== undefined && !action) {
      throw new UsageError(`--action ${JSON.stringify(wanted.action)} is none of ${AUDIT_ACTIONS.join(", ")}`);
    }
    const since = wanted.since === undefined ? undefined : parseSince(wanted.since);
    const until = wanted.until === undefined ? undefined : parseSince(wanted.until, new Date(), "--until");
    if (since && until && until <= since) throw new UsageError("--until is not after --since");
    const { shown, note } = await withDatabase(context, async (sql) => {
      const filter = { ...(await known(sql, wanted)), action, requestId: wanted.request, since, until };
      return await pageOf(
        wanted,
        ({ limit, after, search }) => listAudit(sql, { ...filter, limit, after, search }),
        ({ id }) => id,
      );
    });
    return { json: shown.map(recordJson), text: recordTable(shown), note };
  });
}

/** What the options name. An id that nothing has is an error: 'no records' would be no answer to a mistyped one. */
async function known(sql: Sql, { shop, client, merchant, actor }: Wanted): Promise<Omit<AuditFilter, "limit">> {
  const { requireClient, requireShop } = await import("@partner-connect/directory");
  if (shop !== undefined) await requireShop(sql, shop);
  if (client !== undefined) await requireClient(sql, client);
  if (actor !== undefined) await requireActor(sql, actor);
  const merchantId = merchant === undefined ? undefined : await merchantIdOf(sql, merchant);
  return { shopId: shop, clientId: client, merchantId, actor };
}

async function merchantIdOf(sql: Sql, emailOrId: string): Promise<string> {
  const { findMerchant, findMerchantByEmail } = await import("@partner-connect/directory");
  const found = await (emailOrId.includes("@") ? findMerchantByEmail : findMerchant)(sql, emailOrId.trim());
  if (found) return found.id;
  throw new OperatorError(`there is no merchant ${JSON.stringify(emailOrId)}`, { code: "UNKNOWN_MERCHANT" });
}

async function requireActor(sql: Sql, actor: string): Promise<void> {
  if (!/^(?:system|(?:operator|merchant|client):.+)$/.test(actor)) {
    throw new UsageError(
      `--actor ${JSON.stringify(actor)} is none of operator:<name>, merchant:<id>, client:<id> and system`,
    );
  }
  const { listAudit } = await import("@partner-connect/audit");
  if ((await listAudit(sql, { actor, limit: 1 })).length > 0 || actor === "system") return;
  throw new OperatorError(`the audit log has nothing of an actor ${JSON.stringify(actor)}`, { code: "UNKNOWN_ACTOR" });
}

function recordJson(record: AuditRecord) {
  const { merchantId } = record;
  return {
    at: record.at.toISOString(),
    actor: record.actor,
    action: record.action,
    client_id: record.clientId,
    shop_id: record.shopId,
    connection_id: record.connectionId,
    request_id: record.requestId,
    ip: record.ip,
    detail: { ...(merchantId !== null && { merchant_id: merchantId }), ...record.detail },
  };
}

function recordTable(records: readonly AuditRecord[]) {
  return table(
    [
      "WHEN",
      "ACTION",
      cutColumn("ACTOR"),
      cutColumn("CLIENT"),
      cutColumn("SHOP"),
      cutColumn("DETAIL"),
      extraColumn("MERCHANT"),
      extraColumn("CONNECTION"),
      extraColumn("FROM"),
      extraColumn("REQUEST"),
    ],
    records.map((each) => [
      each.at,
      each.action,
      named(each.actorName, each.actor),
      named(each.clientName, each.clientId),
      named(each.shopName, each.shopId),
      detailText(each.detail),
      named(each.merchantEmail, each.merchantId),
      each.connectionId,
      each.ip,
      each.requestId,
    ]),
    "Nothing was recorded.",
  );
}

function named(name: string | null, id: string | null): string | null {
  return name === null ? id : `${name} (${id})`;
}

function detailText(detail: AuditRecord["detail"]): string | null {
  const told = Object.entries(detail)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => a.localeCompare(b));
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return told.length === 0 ? null : told.map(([name, value]) => `${name}: ${text(value)}`).join(", ");
}

const EXAMPLES = `
  $ partner-connect audit list --since 09:00
  $ partner-connect audit list --client client_5d2c… --since 3d
  $ partner-connect audit list --merchant anna@shop.example --json
  $ partner-connect audit list --action revoke --since 2026-11-21 --until 2026-11-22
  $ partner-connect audit list --actor operator:anna --limit 1000`;
