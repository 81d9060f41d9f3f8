import { CursorExpired, PartnerConnectError, UnknownConnection } from "../errors/index.ts";
import type { ReadChanges } from "../partner-api/partner-api.ts";
import type { Change, ChangesPage } from "../partner-api/records.ts";
import type { ShopClient } from "../shop/shop-client.ts";
import type { StoredConnection } from "../stores/connection-store.ts";
import { isEnd } from "../tokens/token-refresh.ts";
import { ConnectionWork } from "./connection-work.ts";
import type { FollowOptions } from "./follow-options.ts";
import { type FollowState, type PendingConnection, readFollowState } from "./follow-state.ts";
import { keepAlive, type LiveConnections } from "./keep-alive.ts";
import { CopyMoved, syncConnection } from "./sync-connection.ts";

/** What `follow` needs of the SDK. */
export interface FollowSource extends LiveConnections {
  changes(options: ReadChanges): Promise<ChangesPage>;
  /** The store's. */
  connections(): AsyncIterable<StoredConnection>;
  shop(connectionId: string): ShopClient;
  /** The feed says that it is connected, or the store has it: gets its access token, so that those of many come together. */
  prepare(connectionId: string): void;
}

const PAGE = { limit: 1000 };
const WAIT_SECONDS = 25;
/** While shops are read: what is done is kept with the feed's next answer. */
const BUSY_WAIT_SECONDS = 1;
/** Between two calls of the feed: well within its limit, also where something is new all the time. */
const LEAST_PAUSE_MS = 200;
/** The next page is read when fewer connections than this are in hand. */
const MOST_IN_HAND = 1000;
/** A connection that has been read for so long lets those that wait go first. */
const LONGEST_TURN_MS = 10_000;
const FIRST_RETRY_MS = 1000;
const SILENT_RETRIES = 4;
const LONGEST_RETRY_MS = 60_000;
/** Where only the merchant, the operator or a developer can change it. The feed says so when they have. */
const LASTING_RETRY_MS = 15 * 60_000;

/** Keeps the copies of all connected shops in sync, until `options.signal` or an error that `options.trouble` threw. */
export async function follow(source: FollowSource, options: FollowOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])]);
  const failed = (error: unknown): void => ending.abort(error);
  const follower = new Follower(source, options, signal, failed);
  const keepingAlive = keepAlive(source, signal, (error) => options.trouble(error, null)).catch(failed);
  try {
    await follower.run();
  } catch (error) {
    failed(error);
    if (!options.signal?.aborted) throw ending.signal.reason;
  } finally {
    await Promise.all([follower.stopped(), keepingAlive]);
  }
}

class Follower {
  readonly #source: FollowSource;
  readonly #options: FollowOptions;
  readonly #signal: AbortSignal;
  readonly #work: ConnectionWork;
  #kept: FollowState | null = null;
  #readAt = 0;

  constructor(source: FollowSource, options: FollowOptions, signal: AbortSignal, failed: (error: unknown) => void) {
    this.#source = source;
    this.#options = options;
    this.#signal = signal;
    this.#work = new ConnectionWork({
      clock: source.clock,
      parallel: options.parallel ?? 8,
      signal,
      run: (pending, failures) => this.#sync(pending, failures),
      changed: () => options.progress?.({ inHand: this.#work.inHand, failing: this.#work.failing }),
      failed,
    });
  }

  async run(): Promise<void> {
    let cursor = await this.#reload();
    for (;;) {
      try {
        cursor ??= await this.#fromTheBeginning();
        const waitSeconds = this.#work.inHand > 0 ? BUSY_WAIT_SECONDS : WAIT_SECONDS;
        const { data, cursor: next } = await this.#read(cursor, waitSeconds);
        const told = this.#note(pendingOf(data));
        cursor = next;
        // Before anything of it is read: a cursor that is kept has seen all that the copies have, so a restored server refuses it.
        if (!(await this.#keep(cursor))) cursor = await this.#reload();
        this.#begin(told);
        await this.#work.below(MOST_IN_HAND);
      } catch (error) {
        if (!(error instanceof CursorExpired)) throw error;
        cursor = null;
      }
    }
  }

  async stopped(): Promise<void> {
    await this.#work.stopped();
  }

  /**
   * All that the feed has, and all that the store has beside it: each copy is checked. Nothing is kept until it was told whole: a crash
   * begins it again, and finds the copies as they are.
   */
  async #fromTheBeginning(): Promise<string> {
    const seen = new Set<string>();
    let cursor: string | null = null;
    for (let more = true; more; ) {
      const page: ChangesPage = await this.#read(cursor, 0);
      const told = this.#note(pendingOf(page.data, "check"));
      for (const id of told) seen.add(id);
      this.#begin(told);
      await this.#work.below(MOST_IN_HAND);
      cursor = page.cursor;
      more = page.has_more;
    }
    await this.#persist(async () => {
      for await (const { id, shop } of this.#source.connections()) {
        if (seen.has(id)) continue;
        seen.add(id);
        const kinds = ["check", "questions"];
        this.#begin(this.#note([{ connection_id: id, shop_id: shop.id, status: "unknown", kinds }]));
        await this.#work.below(MOST_IN_HAND);
      }
    });
    await this.#keep(cursor ?? "");
    return cursor ?? "";
  }

  async #read(after: string | null, wait: number): Promise<ChangesPage> {
    const { clock } = this.#source;
    await clock.sleep(Math.max(0, this.#readAt + LEAST_PAUSE_MS - clock.now()), this.#signal);
    return await this.#persist(() => {
      this.#readAt = clock.now();
      return this.#source.changes({ after, wait, ...PAGE, signal: this.#signal });
    });
  }

  /** The connections that it concerns. Not begun. */
  #note(all: readonly PendingConnection[]): Set<string> {
    const connected = new Map<string, boolean>();
    for (const pending of all) {
      const { connection_id: id, status } = pending;
      this.#work.note(pending);
      connected.set(id, status === "connected" || status === "unknown");
    }
    for (const [id, isConnected] of connected) if (isConnected) this.#source.prepare(id);
    return new Set(connected.keys());
  }

  #begin(connectionIds: Iterable<string>): void {
    for (const id of connectionIds) this.#work.begin(id);
  }

  /** False if another process has kept another state. */
  async #keep(cursor: string): Promise<boolean> {
    const state: FollowState = { version: 1, cursor, pending: this.#work.pending() };
    if (JSON.stringify(state) === JSON.stringify(this.#kept)) return true;
    const previous = this.#kept;
    if ((await this.#persist(async () => await this.#options.keepState(state, previous))) === false) return false;
    this.#kept = state;
    return true;
  }

  /** Goes on from the state that is kept. What is in hand goes on as well. */
  async #reload(): Promise<string | null> {
    const kept = await this.#persist(async () => readFollowState(await this.#options.readState()));
    this.#kept = kept;
    this.#begin(this.#note(kept?.pending ?? []));
    return kept?.cursor ?? null;
  }

  async #sync(pending: PendingConnection, failures: number): Promise<boolean | number> {
    const { clock } = this.#source;
    const { connection_id: id } = pending;
    const end = clock.now() + LONGEST_TURN_MS;
    const isLate = (): boolean => clock.now() > end && this.#work.isWaitedFor;
    try {
      const shop = this.#source.shop(id);
      return await syncConnection(pending, { options: this.#options, shop, signal: this.#signal, isLate });
    } catch (error) {
      this.#signal.throwIfAborted();
      // The feed says that it is connected: a merchant may connect it just now, and the store has the tokens in a moment.
      const isRefused = error instanceof UnknownConnection || isEnd(error);
      const isOnlyListed = isRefused && pending.status === "unknown";
      const mayPass = (isRefused && !isOnlyListed) || error instanceof CopyMoved;
      if (!mayPass || failures >= SILENT_RETRIES) await this.#options.trouble(error, id);
      return isOnlyListed || retryAfterMs(error, failures);
    }
  }

  /** Repeats what fails, for as long as it takes. @throws {CursorExpired}, and the signal's reason */
  async #persist<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        this.#signal.throwIfAborted();
        return await work();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (error instanceof CursorExpired) throw error;
        await this.#options.trouble(error, null);
        await this.#source.clock.sleep(Math.min(LONGEST_RETRY_MS, retryAfterMs(error, failures)), this.#signal);
      }
    }
  }
}

function pendingOf(changes: readonly Change[], ...also: readonly string[]): PendingConnection[] {
  return changes.flatMap(({ connection_id, shop_id, status, kind }) => {
    if (connection_id === null || shop_id === null) return []; // of the client itself
    return [{ connection_id, shop_id, status, kinds: [kind, ...also] }];
  });
}

function retryAfterMs(error: unknown, failures: number): number {
  // Nothing is wrong: another process has written to the copy.
  if (error instanceof CopyMoved) return FIRST_RETRY_MS * (0.5 + Math.random());
  const said = Number((error as { readonly retryAfterSeconds?: number }).retryAfterSeconds ?? 0) * 1000;
  const isLasting = error instanceof PartnerConnectError && !error.isTemporary;
  const grown = Math.min(isLasting ? LASTING_RETRY_MS : LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
  return Math.max(said, grown * (0.75 + Math.random() / 4));
}
