import type { Caller } from "../authentication/caller.ts";
import { unavailable } from "../errors/api-error.ts";
import type { Edge, PageEdges } from "../pagination/prev-next-links.ts";
import type { Position, TimedCursor } from "../pagination/time-parameters.ts";
import { NOT_ASKED, type OptionalRedis } from "../stores/optional-redis.ts";
import { keyOf, type PagePosition, rememberPage, type Showing, shownPositions, slotKey } from "./shown-positions.ts";

/** A request for a list whose records move, as far as the memory of positions has to know it. */
export interface MovingList {
  readonly cursor: TimedCursor | null;
  readonly isAscending: boolean;
  /** Names the walks that share a memory; an id alone doesn't tell them apart. Null: nothing is remembered of them. */
  readonly walks: string | null;
}

export function walksOf(caller: Caller, order: string, bounds: object): string {
  return JSON.stringify([caller.id, order, bounds]);
}

export interface Start {
  /** Null: the first page, or where the cursor's record stands now (cursor-position.query.ts, list-deletions.query.ts). */
  readonly position: Position | null;
  readonly isByIdAlone: boolean;
}

const BY_RECORD: Start = { position: null, isByIdAlone: false };

/**
 * Where the records at the edges of a caller's pages stood when they were shown, for callers who go on by an id alone; with `cursor_time`
 * nothing is asked. An id alone means the earliest of the positions at which this caller was shown it (reading descending: the latest),
 * within a day and until half a minute after going on from it; if there is none, where it stands now. DECISIONS.md, 'A position is an id
 * and a time'.
 */
export class PositionMemory {
  readonly #redis: OptionalRedis;
  readonly #now: () => number;

  /** `now`: milliseconds since the epoch. */
  constructor(redis: OptionalRedis, now: () => number = Date.now) {
    this.#redis = redis;
    this.#now = now;
  }

  /** @throws {ApiError} 503 where it depends on the memory, and that can't be asked */
  async startOf({ cursor, walks, isAscending }: MovingList): Promise<Start> {
    if (!cursor) return BY_RECORD;
    const { id, time } = cursor;
    if (time !== undefined) return { position: { at: time, id }, isByIdAlone: false };
    if (walks === null) return BY_RECORD;
    const key = keyOf(walks, id);
    const shown = await this.#redis.attempt(key, (redis) => shownPositions(redis, key, this.#now()));
    if (shown === NOT_ASKED) throw unavailable("positions_unavailable");
    const at = isAscending ? Math.min(...shown) : Math.max(...shown);
    return { position: shown.length > 0 ? { at, id } : null, isByIdAlone: true };
  }

  /**
   * Keeps the edges of a page that is about to be sent; after an empty page, by an id alone, its start. @throws {ApiError} 503 after an id
   * alone, where that can't be done
   */
  async remember(
    { walks, cursor }: MovingList,
    { position, isByIdAlone }: Start,
    edges: PageEdges | null,
  ): Promise<void> {
    if (walks === null) return;
    const left: PagePosition[] = edges && position ? [{ ...position, showing: "left" }] : [];
    const isKept = position !== null && isByIdAlone;
    const shown = edges ? shownEdges(edges, cursor) : isKept ? [{ ...position, showing: "empty" as const }] : [];
    if (shown.length === 0) return;
    const kept = await this.#redis.attempt(slotKey(walks), (redis) =>
      rememberPage(redis, walks, this.#now(), [...left, ...shown]),
    );
    if (kept === NOT_ASKED && isByIdAlone) throw unavailable("positions_unavailable");
  }
}

function shownEdges({ first, last }: PageEdges, cursor: MovingList["cursor"]): PagePosition[] {
  const shown = ({ id, updatedAt }: Edge, showing: Showing) => ({ id, at: Date.parse(updatedAt), showing });
  const [begin, end] = cursor?.direction === "backward" ? [last, first] : [first, last];
  return begin.id === end.id ? [shown(end, "last")] : [shown(begin, "first"), shown(end, "last")];
}
