import { randomBytes } from "node:crypto";
import { unavailable } from "../errors/api-error.ts";
import type { Position } from "../pagination/position.ts";
import type { PageEdges } from "../pagination/prev-next-links.ts";
import { NOT_ASKED, type OptionalRedis } from "../stores/optional-redis.ts";
import type { MovingList } from "./moving-list.ts";
import { type KeptEdge, type KeptPage, PageStore } from "./page-store.ts";
import { LONGEST_KEPT_SECONDS, USED_SECONDS } from "./remember-page.ts";
import { SETTLING_MS, safePosition } from "./safe-position.ts";

/** Where a page starts. */
export interface Start {
  /** Null where the record itself says it (cursor-position.query.ts, list-deletions.query.ts). */
  readonly position: Position | null;
  /** No other position of the record can be meant. */
  readonly isOnly: boolean;
  /** The caller gave an id alone, and depends on the memory. */
  readonly isByIdAlone: boolean;
}

/** The first page; and every page of a list whose records never move. */
const BY_RECORD: Start = { position: null, isOnly: false, isByIdAlone: false };

/**
 * Where the records at the edges of a caller's pages stood when they were shown.
 *
 * The problem: under `updated_at_*` a record moves when it is recategorized, and a deletion when the record was imported again
 * and is deleted once more. A caller who goes on from its id means the position at which they were shown it, not the one
 * where it stands now. There are two cases:
 *
 * - An id with its `cursor_time` is that position. Nothing is asked. Each of our links is so.
 * - An id alone is looked up here. The memory knows, for each caller, sort and set of filters, the positions at which the
 *   record was shown at the edge of a page.
 *
 * The rule: go on from the position from which nothing is lost, of all that the caller may mean. Records may repeat.
 *
 * - Redis can't be asked: 503. That says nothing about what it knows, and a guess would lose records.
 * - Redis doesn't know, as the position expired, or was evicted, or Redis was emptied or started again (the keys name the run of
 *   the server): the record itself says a position that is safe whenever it was shown. For {@link SETTLING_MS} after
 *   such a loss the memory is not believed either: it may know the position of another walk, and not of this one.
 * - Redis can't take the edges of a page: after an id alone, 503. Any other page is sent, and {@link PageStore} writes its
 *   edges later.
 *
 * What remains concerns callers who pass ids alone while another walk of theirs has the same sort and filters, if both walks
 * were shown one record at the edge of a page, at different positions. Ascending, these walks may miss records: one that pauses
 * for longer than {@link SETTLING_MS} while the other goes on; one whose page was sent without Redis, and who asks another
 * replica before this one has written the edges, or after this one has ended; one whose position was evicted. With
 * `cursor_time` none does.
 */
export class PositionMemory {
  readonly #store: PageStore;
  readonly #now: () => number;
  readonly #name = randomBytes(6).toString("base64url");
  #pages = 0;

  /** `now`: milliseconds since the epoch. */
  constructor(redis: OptionalRedis, now: () => number = Date.now) {
    this.#store = new PageStore(redis, now);
    this.#now = now;
  }

  /** @throws {ApiError} 503 where it depends on the memory, and that can't be asked */
  async startOf(list: MovingList | null): Promise<Start> {
    if (!list?.cursor) return BY_RECORD;
    const { id, time } = list.cursor;
    if (time !== undefined) return { position: { at: time, id }, isOnly: true, isByIdAlone: false };
    const known = await this.#store.read(list.walks, id);
    if (known === NOT_ASKED) throw unavailable("positions_unavailable");
    const { positions, completeSince } = known;
    const safe = completeSince === null ? null : safePosition(positions, list.isAscending, completeSince, this.#now());
    return { position: safe && { at: safe.at, id }, isOnly: safe?.isOnly ?? false, isByIdAlone: true };
  }

  /**
   * Keeps the edges of a page that is about to be sent; before it is, as the caller may go on at another replica.
   * @throws {ApiError} 503 after an id alone, where that can't be done
   */
  async remember(list: MovingList | null, start: Start, edges: PageEdges | null): Promise<void> {
    const { position, isOnly, isByIdAlone } = start;
    if (!list || !(edges || position)) return;
    const page: KeptPage = {
      walks: list.walks,
      isFirst: list.cursor === null,
      cursor: position && { ...position, isOnly },
      edges: edges ? keptEdges(edges) : [],
      walk: `${this.#name}${(this.#pages++).toString(36)}`,
    };
    if (await this.#store.write(page)) return;
    if (!isByIdAlone) return this.#store.writeLater(page);
    // Redis may have it all the same. The page is not shown, so the caller still stands where they stood.
    if (position) {
      this.#store.writeLater({ ...page, cursor: null, edges: [{ ...position, seconds: LONGEST_KEPT_SECONDS }] });
    }
    throw unavailable("positions_unavailable");
  }

  /** Nothing is written any more. */
  close(): void {
    this.#store.close();
  }
}

function keptEdges({ first, last, precedes }: PageEdges): readonly KeptEdge[] {
  const end = { id: last.id, at: Date.parse(last.updatedAt), seconds: LONGEST_KEPT_SECONDS };
  if (first.id === last.id) return [end];
  const seconds = precedes ? USED_SECONDS : LONGEST_KEPT_SECONDS;
  return [{ id: first.id, at: Date.parse(first.updatedAt), seconds }, end];
}
