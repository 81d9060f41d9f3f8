import { hashSlot, type RedisServer } from "@partner-connect/service-runtime";
import type { Position } from "../pagination/position.ts";
import { NOT_ASKED, type NotAsked, type OptionalRedis } from "../stores/optional-redis.ts";
import { serverRun } from "../stores/server-run.ts";
import { keysOf, slotKey } from "./memory-keys.ts";
import { rememberPage } from "./remember-page.ts";
import { readPositions, type ShownPosition } from "./safe-position.ts";

/** A record at the edge of a page, and for how long its position is kept. */
export interface KeptEdge extends Position {
  readonly seconds: number;
}

/** What is kept of a page. Its keys are made when it is written, as they name the run of the server. */
export interface KeptPage {
  /** The walks that it is one of. */
  readonly walks: string;
  readonly isFirst: boolean;
  /** Where the page started, if it had a cursor whose position is known. */
  readonly cursor: (Position & { readonly isOnly: boolean }) | null;
  readonly edges: readonly KeptEdge[];
  /** The name of the walk that begins here, if it is not the continuation of a known one. */
  readonly walk: string;
}

export interface KnownPositions {
  readonly positions: readonly ShownPosition[];
  /** Since when the memory has every position that was shown, in milliseconds since the epoch; null: it has none. */
  readonly completeSince: number | null;
}

/** Pages that Redis couldn't take yet, of this process. Of more than these the oldest are forgotten. */
const MOST_LATE = 2000;
const RETRY_MS = 1000;

/**
 * The memory of pages in Redis. A page that Redis couldn't take is written before anything else is asked or written at the server that has
 * it, or else about a second after that server is back; so what Redis answers includes all that this process has shown.
 */
export class PageStore {
  readonly #redis: OptionalRedis;
  readonly #now: () => number;
  /** Each with the hash slot of its keys. */
  readonly #late = new Map<KeptPage, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: OptionalRedis, now: () => number) {
    this.#redis = redis;
    this.#now = now;
  }

  async read(walks: string, id: string): Promise<KnownPositions | NotAsked> {
    return await this.#ask(slotKey(walks), async (server, run) => {
      const keys = keysOf(run, walks);
      const [since, kept] = await Promise.all([server.get(keys.walks), server.hgetall(keys.of(id))]);
      return { positions: readPositions(kept), completeSince: since === null ? null : Number(since) };
    });
  }

  /** Whether Redis has it. */
  async write(page: KeptPage): Promise<boolean> {
    const written = await this.#ask(slotKey(page.walks), (server, run) => this.#remember(server, run, page));
    return written !== NOT_ASKED;
  }

  writeLater(page: KeptPage): void {
    this.#late.set(page, hashSlot(slotKey(page.walks)));
    const [oldest] = this.#late.keys();
    if (oldest && this.#late.size > MOST_LATE) this.#late.delete(oldest);
    this.#timer ??= setTimeout(() => void this.#retry(), RETRY_MS).unref();
  }

  /** Nothing is written any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#late.clear();
  }

  /**
   * Everything is asked of the server that has the key and whose run it is, and fails if another one has it meanwhile. Late pages of
   * its are sent in the same turn of the event loop, so in the same write.
   */
  async #ask<T>(key: string, ask: (server: RedisServer, run: string) => Promise<T>): Promise<T | NotAsked> {
    const late = this.#late.size > 0 ? this.#lateAt(this.#redis.placeOf(key)) : [];
    const answer = await this.#redis.attemptThere(key, async (server) => {
      const run = await serverRun(server);
      const writes = late.map((page) => this.#remember(server, run, page));
      const [said] = await Promise.all([ask(server, run), ...writes]);
      return said;
    });
    if (answer !== NOT_ASKED) for (const page of late) this.#late.delete(page);
    return answer;
  }

  #lateAt(place: string): KeptPage[] {
    return [...this.#late].filter(([, slot]) => this.#redis.placeOf(slot) === place).map(([page]) => page);
  }

  async #remember(server: RedisServer, run: string, { walks, isFirst, cursor, edges, walk }: KeptPage): Promise<void> {
    const keys = keysOf(run, walks);
    const now = this.#now();
    await rememberPage(server, {
      walksKey: keys.walks,
      completeSince: isFirst ? 0 : now,
      cursor: cursor && { key: keys.of(cursor.id), at: cursor.at, isOnly: cursor.isOnly },
      walk,
      edges: edges.map(({ id, at, seconds }) => ({ key: keys.of(id), at, seconds })),
      now,
    });
  }

  async #retry(): Promise<void> {
    const places = new Map([...this.#late].map(([page, slot]) => [this.#redis.placeOf(slot), slotKey(page.walks)]));
    await Promise.all([...places.values()].map((key) => this.#ask(key, async () => {})));
    this.#timer = this.#late.size > 0 ? setTimeout(() => void this.#retry(), RETRY_MS).unref() : undefined;
  }
}
