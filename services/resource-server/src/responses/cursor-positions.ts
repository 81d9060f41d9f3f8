import { createHash } from "node:crypto";
import type { Caller } from "../authentication/caller.ts";
import type { Edge, PageEdges } from "../pages/page-links.ts";
import type { OptionalRedis } from "../stores/optional-redis.ts";
import type { ListParameters } from "./list-parameters.ts";
import { SORTS } from "./sort.ts";
import type { Position } from "./way.ts";

/** Who goes on from an edge within this time goes on from where its record stood, however it moved since. */
const KEPT_SECONDS = 7 * 86_400;

/** An edge that the caller has gone on from, kept for a retry. */
const USED_SECONDS = 3600;

/**
 * Where the records at the edges of a caller's pages stood when they were served, by caller, sort and filters. Under
 * `updated_at_*` a record moves when it is recategorized, and a walk that goes on from it must not move with it.
 *
 * What Redis has forgotten, or can't tell now, is looked up where the record stands: a read never fails for it.
 */
export class CursorPositions {
  readonly #redis: OptionalRedis;

  constructor(redis: OptionalRedis) {
    this.#redis = redis;
  }

  /** Where the cursor's record stood when it was served, or null. Times that never change need no memory. */
  async recall(caller: Caller, parameters: ListParameters): Promise<Position | null> {
    const { cursor, sort } = parameters;
    if (!cursor || SORTS[sort].column !== "updated_at") return null;
    const key = keysOf(caller, parameters)(cursor.id);
    const at = await this.#redis.attempt((redis) => redis.get(key));
    return at ? { at: Number.parseInt(at, 36), id: cursor.id } : null;
  }

  /**
   * Keeps the edges of a page that is about to be sent; before it is, as the caller may go on at another replica.
   * The cursor that led to an empty page is come back to, with the question what is new.
   */
  async remember(caller: Caller, parameters: ListParameters, edges: PageEdges | null): Promise<void> {
    const { cursor, sort } = parameters;
    if (SORTS[sort].column !== "updated_at") return;
    const keyOf = keysOf(caller, parameters);
    await this.#redis.attempt(async (redis) => {
      const commands: Promise<unknown>[] = [];
      const keep = ({ id, updatedAt }: Edge, seconds: number): void =>
        void commands.push(redis.set(keyOf(id), Date.parse(updatedAt).toString(36), "EX", seconds));
      if (cursor) commands.push(redis.expire(keyOf(cursor.id), edges ? USED_SECONDS : KEPT_SECONDS));
      if (edges) {
        keep(edges.first, edges.precedes ? USED_SECONDS : KEPT_SECONDS);
        keep(edges.last, KEPT_SECONDS);
      }
      await Promise.all(commands);
    });
  }
}

/** The keys of one caller, sort and set of filters. Hashed: ids are long, and nobody's business in a dump. */
function keysOf(caller: Caller, { sort, ranges }: ListParameters): (id: string) => string {
  const walk = JSON.stringify([caller.id, sort, ranges]);
  return (id) => `cursor:${createHash("sha256").update(walk).update(id).digest("base64url").slice(0, 22)}`;
}
