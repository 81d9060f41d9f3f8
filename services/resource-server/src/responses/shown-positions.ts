import { hash } from "node:crypto";
import { unavailable } from "@partner-connect/service-runtime";
import type { Caller } from "../authentication/caller.ts";
import type { OptionalRedis } from "../optional-redis.ts";
import type { Edge, PageEdges } from "../pagination/page.ts";
import type { SortName } from "./list-parameters.ts";

/** Seconds for which a shown time is stored. */
const TTL = 86_400;

/** The Redis key. It has a hash, because ids are long, and a dump should not contain them. */
function keyOf(caller: Caller, sort: SortName, id: string): string {
  return `cursor:${hash("sha256", JSON.stringify([caller.id, sort, id]), "base64url").slice(0, 22)}`;
}

/**
 * Returns the time, in milliseconds, by which the record was sorted when this caller last saw it at
 * a page's edge in this sort, for a cursor without `cursor_time` under `updated_at_*`. Undefined
 * after more than a day.
 * @throws {ApiError} 503 if Redis is down, even to a caller that would be refused
 */
export async function findShownTime(
  optionalRedis: OptionalRedis,
  caller: Caller,
  sort: SortName,
  id: string,
): Promise<number | undefined> {
  const key = keyOf(caller, sort, id);
  const time = await optionalRedis.attempt(key, () => optionalRedis.client.get(key));
  if (time === undefined) throw unavailable("positions_unavailable");
  return time === null ? undefined : Number(time);
}

/** Stores the times of a page's first and last record. Returns false if one was not stored. */
export async function storeShownTimes(
  optionalRedis: OptionalRedis,
  caller: Caller,
  sort: SortName,
  { first, last }: PageEdges,
): Promise<boolean> {
  const keep = ({ id, time }: Edge) => {
    const key = keyOf(caller, sort, id);
    const { client } = optionalRedis;
    return optionalRedis.attempt(key, () => client.set(key, Date.parse(time), "EX", TTL));
  };
  const kept = await Promise.all(first.id === last.id ? [keep(last)] : [keep(first), keep(last)]);
  return !kept.includes(undefined);
}
