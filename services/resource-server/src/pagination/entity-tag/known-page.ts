import type { FastifyRequest } from "fastify";
import { refusal } from "../../authorization/caller-state.query.ts";
import type { Database } from "../../stores/database.ts";
import { sentTags, stateDigest } from "./entity-tag.ts";
import { readStateAndStamp } from "./shop-stamp.query.ts";

export interface KnownPageOptions {
  readonly database: Database;
  readonly publicApiUrl: string;
  /** The code that makes pages: another release may make other ones. */
  readonly revision: string;
}

/**
 * The tag of `If-None-Match` that names the page as it is; null where it has to be read to know. The caller's state and the shop's newest
 * stamp decide. @throws {ApiError} 403 or 401 by the caller's state
 */
export async function knownTag(
  options: KnownPageOptions,
  request: FastifyRequest,
  place: string,
): Promise<string | null> {
  const tags = sentTags(request.headers["if-none-match"]).filter(({ state }) => state !== undefined);
  if (tags.length === 0) return null;
  const { caller } = request;
  const { state, stamp } = await options.database.run(caller.shopId, (sql) => readStateAndStamp(sql, caller));
  const refused = refusal(state);
  if (refused) throw refused;
  const now = pageState(options, request, stamp, place);
  return tags.find((tag) => tag.state === now)?.text ?? null;
}

/** Everything that decides the bytes of a page; null where the shop has no stamp, and so can't tell when it changes. */
export function pageState(
  { revision, publicApiUrl }: KnownPageOptions,
  { url, caller }: FastifyRequest,
  stamp: string | null,
  place: string,
): string | null {
  return stamp === null ? null : stateDigest([revision, publicApiUrl, url, caller.shopId, stamp, place]);
}
