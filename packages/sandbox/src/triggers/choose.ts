import { type ListedConnection, listConnections } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { listShops } from "@partner-connect/directory";
import { TriggerError, type TriggerOptions } from "./trigger.ts";

const NAMED = 5;

/** The one connection that the options name, or the only one. @throws {TriggerError} for none, or several */
export async function chooseConnection(
  sql: Sql,
  { connection: id, shop: shopId, client: clientId }: TriggerOptions,
  status: ListedConnection["status"],
  refreshTokenTtl: number,
): Promise<ListedConnection> {
  const all = await listConnections(sql, { id, shopId, clientId }, refreshTokenTtl);
  const found = all.filter((connection) => connection.status === status);
  const [first, second] = found;
  if (first && !second) return first;
  if (!first) {
    const [other] = all;
    throw new TriggerError(
      other ? `${other.id} is ${other.status}, not ${status}` : `no connection is ${status}: connect a shop first`,
    );
  }
  const named = found.map(({ id, shopName, clientName }) => `${id} (${clientName}, ${shopName})`);
  throw new TriggerError(`choose one by --connection: ${some(named)}`);
}

/** The shop that the options name, itself or by a connection, or the only one. @throws {TriggerError} for none, or several */
export async function chooseShop(sql: Sql, { shop: id, connection, client }: TriggerOptions, refreshTokenTtl: number) {
  const shops = await listShops(sql);
  const byConnection = connection ?? client;
  const connections = byConnection
    ? await listConnections(sql, { id: connection, clientId: client }, refreshTokenTtl)
    : [];
  const found = shops.filter(
    (shop) =>
      (id === undefined || shop.id === id) &&
      (byConnection === undefined || connections.some(({ shopId }) => shopId === shop.id)),
  );
  const [first, second] = found;
  if (first && !second) return first;
  if (!first) throw new TriggerError(id ? `there is no shop ${id}` : "there is no such shop");
  throw new TriggerError(`choose one by --shop: ${some(found.map((shop) => `${shop.id} (${shop.name})`))}`);
}

function some(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
}

/** @throws {TriggerError} when it is no whole number from `min` to `max` */
export function numberOf(
  options: TriggerOptions,
  name: "seconds" | "count",
  { fallback, min = 1, max }: { readonly fallback: number; readonly min?: number; readonly max: number },
): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < min || number > max) throw new TriggerError(`--${name} is a whole number from ${min} to ${max}`);
  return number;
}
