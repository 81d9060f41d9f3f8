import { type Command, Option } from "@commander-js/extra-typings";
import { AUDIT_ACTIONS, type AuditRecord, listAudit } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { idsOf, requireMerchant } from "@partner-connect/directory";
import { addList, type Cli, listAnswer, OF_CLIENT, SHOP_OPTION } from "../cli.ts";
import { UsageError } from "../errors.ts";
import { jsonOf } from "../print.ts";
import { pastTimeParser, TIME } from "../values.ts";

export default function addAuditCommands(audit: Command, cli: Cli): void {
  const listCommand = addList(audit, "actor, action or detail")
    .description("List the audit log, the newest event first")
    .option(...SHOP_OPTION)
    .option(...OF_CLIENT)
    .option("--merchant <merchant>", "only events by or about this merchant: the email or id")
    .option(
      "--actor <actor>",
      "only events by operator:<name>, merchant:<id>, client:<id>, product:<key>, system",
    )
    .option("--since <time>", TIME, pastTimeParser("--since"))
    .option("--until <time>", "only events before this time", pastTimeParser("--until"))
    .addOption(new Option("--action <action>", "only this action").choices(AUDIT_ACTIONS))
    .option("--request <id>", "only events of this request (x-request-id); quicker with --since");
  cli.setSqlAction(
    listCommand,
    async ({ sql }, { shop, client, merchant, request: requestId, ...asked }) => {
      const { since, until } = asked;
      if (since && until && until <= since) throw new UsageError("--until is not after --since");
      const { shopId } = await recordedIds(sql, { shop });
      const { clientId } = await recordedIds(sql, { client });
      const merchantId =
        merchant === undefined ? undefined : (await requireMerchant(sql, merchant)).id;
      const filter = { ...asked, shopId, clientId, merchantId, requestId };
      return await listAnswer(filter, {
        read: (page) => listAudit(sql, page),
        json: recordJson,
        head: ["WHEN", "ACTION", "ACTOR", "CLIENT", "SHOP", "DETAIL"],
        cells,
        none: "There are no such events.",
      });
    },
  );
}

/**
 * The given shop's or client's id; also an erased one's, if the log has records of it.
 * @throws {DirectoryError} as `idsOf`
 */
async function recordedIds(sql: Sql, given: Parameters<typeof idsOf>[1]) {
  try {
    return await idsOf(sql, given);
  } catch (error) {
    const erased = { shopId: given.shop, clientId: given.client };
    if ((await listAudit(sql, { ...erased, limit: 1 })).length === 0) throw error;
    return erased;
  }
}

function recordJson(record: AuditRecord) {
  const { merchantId } = record;
  return {
    ...jsonOf(record, "at", "actor", "action"),
    ...jsonOf(record, "clientId", "shopId", "connectionId", "requestId", "ip"),
    detail: { ...(merchantId !== null && { merchant_id: merchantId }), ...record.detail },
  };
}

function cells(record: AuditRecord) {
  const nameWithId = (name: string | null, id: string | null) =>
    name === null ? id : `${name} (${id})`;
  const detail = Object.entries(record.detail)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  return [
    record.at,
    record.action,
    nameWithId(record.actorName, record.actor),
    nameWithId(record.clientName, record.clientId),
    nameWithId(record.shopName, record.shopId),
    detail.join(", "),
  ];
}

export const EXAMPLES = `
  $ partner-connect audit list --client 'Acme Analytics' --since 3d
  $ partner-connect audit list --action revoke --since 2026-11-21 --until 2026-11-22`;
