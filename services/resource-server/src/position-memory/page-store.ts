import type { Redis } from "@partner-connect/service-runtime";
import type { Position } from "../pagination/position.ts";
import { NOT_ASKED, type NotAsked, type OptionalRedis } from "../stores/optional-redis.ts";
import { serverRun } from "../stores/server-run.ts";
import { keysOf } from "./memory-keys.ts";
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
 * The memory of pages in Redis. A page that Redis couldn't take is written before anything else is asked or written, or else
 * about a second after Redis is back; so what Redis answers includes all that this process has shown.
 */
export class PageStore {
  readonly #redis: OptionalRedis;
  readonly #now: () => number;
  readonly #late = new Set<KeptPage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(redis: OptionalRedis, now: () => number) {
    this.#redis = redis;
    this.#now = now;
  }

  async read(walks: string, id: string): Promise<KnownPositions | NotAsked> {
    return await this.#ask(async (redis, run) => {
      const keys = keysOf(run, walks);
      const [since, kept] = await Promise.all([redis.get(keys.walks), redis.hgetall(keys.of(id))]);
      return { positions: readPositions(kept), completeSince: since === null ? null : Number(since) };
    });
  }

  /** Whether Redis has it. */
  async write(page: KeptPage): Promise<boolean> {
    return (await this.#ask((redis, run) => this.#remember(redis, run, page))) !== NOT_ASKED;
  }

  writeLater(page: KeptPage): void {
    this.#late.add(page);
    const [oldest] = this.#late;
    if (oldest && this.#late.size > MOST_LATE) this.#late.delete(oldest);
    this.#timer ??= setTimeout(() => void this.#retry(), RETRY_MS).unref();
  }

  /** Nothing is written any more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#late.clear();
  }

  /** Late pages are sent in the same turn of the event loop, so in the same write to Redis. */
  async #ask<T>(ask: (redis: Redis, run: string) => Promise<T>): Promise<T | NotAsked> {
    const late = [...this.#late];
    const answer = await this.#redis.attempt(async (redis) => {
      const run = await serverRun(redis);
      const writes = late.map((page) => this.#remember(redis, run, page));
      const [said] = await Promise.all([ask(redis, run), ...writes]);
      return said;
    });
    if (answer !== NOT_ASKED) for (const page of late) this.#late.delete(page);
    return answer;
  }

  async #remember(redis: Redis, run: string, { walks, isFirst, cursor, edges, walk }: KeptPage): Promise<void> {
    const keys = keysOf(run, walks);
    const now = this.#now();
    await rememberPage(redis, {
      walksKey: keys.walks,
      completeSince: isFirst ? 0 : now,
      cursor: cursor && { key: keys.of(cursor.id), at: cursor.at, isOnly: cursor.isOnly },
      walk,
      edges: edges.map(({ id, at, seconds }) => ({ key: keys.of(id), at, seconds })),
      now,
    });
  }

  async #retry(): Promise<void> {
    await this.#ask(async () => {});
    this.#timer = this.#late.size > 0 ? setTimeout(() => void this.#retry(), RETRY_MS).unref() : undefined;
  }
}
