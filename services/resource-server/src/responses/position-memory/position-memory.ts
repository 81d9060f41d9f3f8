import { randomBytes } from "node:crypto";
import type { Redis } from "@partner-connect/service-runtime";
import type { Caller } from "../../authentication/caller.ts";
import { unavailable } from "../../errors/api-error.ts";
import type { PageEdges } from "../../pagination/prev-next-links.ts";
import { NOT_ASKED, type NotAsked, type OptionalRedis } from "../../stores/optional-redis.ts";
import { serverRun } from "../../stores/server-run.ts";
import type { ListParameters } from "../list-parameters.ts";
import type { Position } from "../list-query/direction.ts";
import { risesInTime, SORTS } from "../sort.ts";
import { keysOf, spaceOf } from "./memory-keys.ts";
import { rememberPage } from "./remember-page.ts";
import { readPlaces, SETTLING_MS, safePlace } from "./safe-position.ts";

/** A caller who comes back within this time is known to have been shown their last record where it stood. */
const KEPT_SECONDS = 7 * 86_400;

/** An edge that the caller has gone on from, kept for a retry. */
const USED_SECONDS = 3600;

/** Pages whose edges Redis couldn't take yet, of this process. Of more than these the oldest are forgotten. */
const MOST_OWED = 2000;
const OWED_EVERY_MS = 1000;

/** Where a page goes on from. */
export interface Start {
  /** Null where the record itself says it (list-responses.query.ts). */
  readonly place: Position | null;
  /** No other place of the record can be meant. */
  readonly isOnly: boolean;
  /** The caller gave an id alone, and depends on the memory. */
  readonly isByIdAlone: boolean;
}

/** The first page; and by `inserted_at`, which never changes, every page. */
const BY_RECORD: Start = { place: null, isOnly: false, isByIdAlone: false };

/** What is to be kept of a page. Keys are made when it is written, as they name the run of the server. */
interface ShownPage {
  readonly space: string;
  readonly isFirst: boolean;
  readonly cursor: (Position & { readonly isOnly: boolean }) | null;
  readonly edges: readonly (Position & { readonly seconds: number })[];
  readonly walk: string;
}

/**
 * Where the records at the edges of a caller's pages stood when they were shown, by caller, sort and filters. Under
 * `updated_at_*` a record moves when it is recategorized, and a walk that goes on from it must not move with it.
 *
 * A cursor with its `cursor_time` needs none of this, and so no link does. For an id alone the walk goes on where nothing
 * can be lost, of all places at which the caller was shown the record; rows may repeat.
 * - Redis can't be asked: 503. It says nothing, and a guess would lose rows.
 * - Redis doesn't know (expired, evicted, emptied, started again: the keys name the run of the server): the record says
 *   a place that is safe whenever it was shown. For {@link SETTLING_MS} after a loss the memory is not believed either: it
 *   may know another walk's place of the record and not this one's.
 * - The edges of a page can't be kept: an id alone is 503. Any other page is sent, and this process writes them before
 *   it asks the memory again, and otherwise within about a second of Redis's return.
 *
 * What remains, for callers who pass ids alone while another walk of theirs has the same sort and filters, if both have met
 * one record at the edge of a page, at different places: one who rests for longer than {@link SETTLING_MS} while the other
 * goes on; one whose page was sent without Redis, and who asks another replica before this one has written it, or after this
 * one has died; one whose place was evicted. Going up, these may miss rows. With `cursor_time` nobody does.
 */
export class CursorPositions {
  readonly #redis: OptionalRedis;
  readonly #now: () => number;
  readonly #name = randomBytes(6).toString("base64url");
  readonly #owed = new Set<ShownPage>();
  #walks = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: milliseconds since the epoch. */
  constructor(redis: OptionalRedis, now: () => number = Date.now) {
    this.#redis = redis;
    this.#now = now;
  }

  /** @throws {ApiError} 503 where it depends on the memory, and that can't be asked */
  async startOf(caller: Caller, parameters: ListParameters): Promise<Start> {
    const { cursor, sort } = parameters;
    if (!cursor || SORTS[sort].column !== "updated_at") return BY_RECORD;
    const { id, time } = cursor;
    if (time !== undefined) return { place: { at: time, id }, isOnly: true, isByIdAlone: false };
    const known = await this.#ask((redis, run) => {
      const keys = keysOf(run, spaceOf(caller, parameters));
      return Promise.all([redis.get(keys.space), redis.hgetall(keys.of(id))]);
    });
    if (known === NOT_ASKED) throw unavailable();
    const [since, kept] = known;
    const rises = risesInTime(sort, cursor);
    const safe = since === null ? null : safePlace(readPlaces(kept), rises, Number(since), this.#now());
    return { place: safe && { at: safe.at, id }, isOnly: safe?.isOnly ?? false, isByIdAlone: true };
  }

  /**
   * Keeps the edges of a page that is about to be sent; before it is, as the caller may go on at another replica.
   * @throws {ApiError} 503 for an id alone, where that can't be done
   */
  async remember(caller: Caller, parameters: ListParameters, start: Start, edges: PageEdges | null): Promise<void> {
    const { cursor, sort } = parameters;
    const { place, isOnly, isByIdAlone } = start;
    if (SORTS[sort].column !== "updated_at" || !(edges || place)) return;
    const page: ShownPage = {
      space: spaceOf(caller, parameters),
      isFirst: cursor === null,
      cursor: place && { ...place, isOnly },
      edges: edges ? keptEdges(edges) : [],
      walk: `${this.#name}${(this.#walks++).toString(36)}`,
    };
    const written = await this.#ask((redis, run) => this.#write(redis, run, page));
    if (written !== NOT_ASKED) return;
    if (!isByIdAlone) return this.#owe(page);
    // Redis may have it all the same. The page is not shown, so the caller stands where they stood.
    if (place) this.#owe({ ...page, cursor: null, edges: [{ ...place, seconds: KEPT_SECONDS }] });
    throw unavailable();
  }

  /** Nothing is written any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#owed.clear();
  }

  /** What Redis says, once it has what it is owed. All of it is asked in one turn of the event loop. */
  async #ask<T>(ask: (redis: Redis, run: string) => Promise<T>): Promise<T | NotAsked> {
    const owed = [...this.#owed];
    const answer = await this.#redis.attempt(async (redis) => {
      const run = await serverRun(redis);
      const writes = owed.map((page) => this.#write(redis, run, page));
      const [said] = await Promise.all([ask(redis, run), ...writes]);
      return said;
    });
    if (answer !== NOT_ASKED) for (const page of owed) this.#owed.delete(page);
    return answer;
  }

  async #write(redis: Redis, run: string, { space, isFirst, cursor, edges, walk }: ShownPage): Promise<void> {
    const keys = keysOf(run, space);
    const now = this.#now();
    await rememberPage(redis, {
      spaceKey: keys.space,
      completeFrom: isFirst ? 0 : now,
      cursor: cursor && { key: keys.of(cursor.id), at: cursor.at, isOnly: cursor.isOnly },
      walk,
      edges: edges.map(({ id, at, seconds }) => ({ key: keys.of(id), at, seconds })),
      now,
      settling: SETTLING_MS,
      keptSeconds: KEPT_SECONDS,
      usedSeconds: USED_SECONDS,
    });
  }

  #owe(page: ShownPage): void {
    this.#owed.add(page);
    const [oldest] = this.#owed;
    if (oldest && this.#owed.size > MOST_OWED) this.#owed.delete(oldest);
    this.#timer ??= setTimeout(() => void this.#payLater(), OWED_EVERY_MS).unref();
  }

  async #payLater(): Promise<void> {
    await this.#ask(async () => {});
    this.#timer = this.#owed.size > 0 ? setTimeout(() => void this.#payLater(), OWED_EVERY_MS).unref() : undefined;
  }
}

function keptEdges({ first, last, precedes }: PageEdges): ShownPage["edges"] {
  const ends = { id: last.id, at: Date.parse(last.updatedAt), seconds: KEPT_SECONDS };
  if (first.id === last.id) return [ends];
  const begins = { id: first.id, at: Date.parse(first.updatedAt), seconds: precedes ? USED_SECONDS : KEPT_SECONDS };
  return [begins, ends];
}
