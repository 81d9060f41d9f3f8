import type { Change, ChangesPage, PartnerConnection } from "./api-types.ts";
import { CursorExpired, InvalidRequest, PartnerConnectError, UnknownConnection } from "./errors.ts";
import type { FollowOptions, FollowState, PendingWork } from "./follow-options.ts";
import { type Clock, unlessAborted } from "./network.ts";
import type { ConnectionStatus, ListConnections, ReadChanges, ShopClient } from "./shop-client.ts";
import type { StoredConnection } from "./stores.ts";
import type { SyncState } from "./sync-responses.ts";
import { isRefusal } from "./token-source.ts";

/** The parts of the SDK that `follow` uses. */
export interface FollowSource {
  readonly partner: {
    connections(): AsyncIterable<StoredConnection>;
    listConnections(options: ListConnections): AsyncIterable<PartnerConnection>;
    changes(options: ReadChanges): Promise<ChangesPage>;
    shop(connectionId: string): ShopClient;
  };
  readonly clock: Clock;
  /** Requests an access token for a probably live connection, so that one call gets many tokens. */
  prepare(connectionId: string): void;
}

const WAIT_SECONDS = 25;
/** Long-poll time while shops are read, because finished work is stored with the next response. */
const BUSY_WAIT_SECONDS = 1;
/** Shortest time between two calls of the feed, to stay within its limit. */
const MIN_PAUSE_MS = 200;
/** The next page of the feed is read when fewer connections than this are in progress. */
const MAX_IN_PROGRESS = 1000;
/** After this, a connection yields to waiting ones. */
const MAX_RUN_MS = 10_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/**
 * Retry interval for errors that need the merchant, the operator or a developer. The feed reports
 * their change.
 */
const LASTING_RETRY_MS = 15 * 60_000;
const SILENT_RETRIES = 4;
const DAY_MS = 24 * 60 * 60_000;
/** Tokens that expire within this time are refreshed: half of a refresh token's lifetime. */
const LAPSES_SOON_MS = 15 * DAY_MS;

/** Pending work for one connection. */
interface Work {
  readonly shopId: string;
  status: string;
  /** Kinds of pending work that has not begun. */
  kinds: Set<string>;
  running: Set<string>;
  isBegun: boolean;
  /** Ends the backoff. */
  wake: (() => void) | null;
}

/** `apply` refused a batch, because the copy's state has changed. */
class CopyMoved extends Error {
  override readonly message =
    "the copy's state is not the one that was read: does another process keep this copy?";
}

/**
 * Syncs the copies of all connected shops, until `options.signal` or an error thrown by
 * `options.onError`.
 */
export async function follow(source: FollowSource, options: FollowOptions): Promise<void> {
  await new Follower(source, options).run();
}

class Follower {
  readonly #source: FollowSource;
  readonly #options: FollowOptions;
  /** Aborted with the error that `options.onError` threw. */
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #work = new Map<string, Work>();
  /** Connections that the feed has reported since the expired ones were last listed. */
  readonly #heard = new Set<string>();
  /** The loops of the feed, of connections, and of expiring tokens. */
  readonly #loops = new Set<Promise<void>>();
  #free: number;
  readonly #queue: (() => void)[] = [];
  /** Called when fewer connections may be in progress. */
  readonly #waiting: (() => void)[] = [];
  #kept: FollowState | null = null;
  #readAt = 0;

  constructor(source: FollowSource, options: FollowOptions) {
    this.#source = source;
    this.#options = options;
    this.#signal = AbortSignal.any([
      this.#ending.signal,
      ...(options.signal ? [options.signal] : []),
    ]);
    this.#free = options.concurrency ?? 8;
  }

  /**
   * Returns once `options.signal` is aborted and all loops have ended. @throws the error thrown by
   * `options.onError`
   */
  async run(): Promise<void> {
    const wakeQueued = () => {
      for (const go of this.#queue.splice(0)) go();
    };
    this.#signal.addEventListener("abort", wakeQueued, { once: true });
    this.#track(this.#watchExpiry());
    this.#track(this.#readFeed());
    while (this.#loops.size > 0) await Promise.all(this.#loops);
    if (!this.#options.signal?.aborted) throw this.#ending.signal.reason;
  }

  #track(work: Promise<void>): void {
    const loop = work
      .catch((error) => this.#ending.abort(error))
      .finally(() => this.#loops.delete(loop));
    this.#loops.add(loop);
  }

  async #readFeed(): Promise<void> {
    let cursor = await this.#reload();
    for (;;) {
      try {
        if (cursor === null || this.#kept?.checking) {
          cursor = await this.#check(cursor);
          continue;
        }
        const { data, cursor: next } = await this.#read(
          cursor,
          this.#inProgress > 0 ? BUSY_WAIT_SECONDS : WAIT_SECONDS,
        );
        const ids = this.#addPending(pendingOf(data));
        cursor = next;
        // Store the cursor before its changes are read: a stored cursor then covers all copies, so
        // a restored server refuses it.
        if (!(await this.#saveCursor(cursor))) cursor = await this.#reload();
        await this.#begin(ids);
      } catch (error) {
        if (!(error instanceof CursorExpired)) throw error;
        cursor = null;
      }
    }
  }

  /**
   * Begins to check the copies of the connections in the feed after `resumed`, then of those that
   * only the store has. Returns the cursor from which to continue.
   */
  async #check(resumed: string | null): Promise<string | null> {
    const { partner } = this.#source;
    const seen = new Set<string>();
    let cursor = resumed ?? "";
    for (let more = true; more; ) {
      const page = await this.#read(cursor || null, 0);
      const ids = this.#addPending(pendingOf(page.data, "check"));
      for (const id of ids) seen.add(id);
      cursor = page.cursor;
      more = page.has_more;
      if (!(await this.#saveCursor(cursor, { checking: true }))) return await this.#reload();
      await this.#begin(ids);
    }
    await this.#retry(async () => {
      // An earlier run has seen the connections before `resumed`.
      if (resumed !== null)
        for await (const { id } of partner.listConnections({ signal: this.#signal })) seen.add(id);
      for await (const { id, shop } of partner.connections()) {
        if (seen.has(id)) continue;
        seen.add(id);
        const kinds = ["check", "questions"];
        await this.#begin(
          this.#addPending([{ connection_id: id, shop_id: shop.id, status: "unknown", kinds }]),
        );
      }
    });
    return (await this.#saveCursor(cursor)) ? cursor : await this.#reload();
  }

  async #read(after: string | null, wait: number) {
    const { clock, partner } = this.#source;
    // If the clock was set back, the pause isn't longer.
    const pauseMs = Math.min(MIN_PAUSE_MS, this.#readAt + MIN_PAUSE_MS - clock.now());
    await clock.sleep(Math.max(0, pauseMs), this.#signal);
    return await this.#retry(() => {
      this.#readAt = clock.now();
      return partner.changes({ after, wait, limit: 1000, signal: this.#signal });
    });
  }

  /** Adds pending work without starting it. Returns the connections' ids. */
  #addPending(all: readonly PendingWork[]): Set<string> {
    const ids = new Set<string>();
    for (const { connection_id: id, shop_id: shopId, status, kinds } of all) {
      ids.add(id);
      this.#heard.add(id);
      const fresh: Work = {
        shopId,
        status,
        kinds: new Set(),
        running: new Set(),
        isBegun: false,
        wake: null,
      };
      const work = this.#work.get(id) ?? fresh;
      this.#work.set(id, work);
      work.status = status;
      for (const kind of kinds) work.kinds.add(kind);
    }
    for (const id of ids) if (isLive(this.#work.get(id)?.status)) this.#source.prepare(id);
    return ids;
  }

  /** Starts pending work, or retries it immediately. Resolves when there is room for more. */
  async #begin(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      const work = this.#work.get(id);
      work?.wake?.();
      if (!work || work.isBegun) continue;
      work.isBegun = true;
      this.#track(this.#process(id, work));
    }
    while (this.#inProgress >= MAX_IN_PROGRESS) {
      const changed = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await unlessAborted(changed, this.#signal);
    }
  }

  get #inProgress(): number {
    let count = 0;
    for (const { wake } of this.#work.values()) if (wake === null) count++;
    return count;
  }

  /** False if another process has stored another state. */
  async #saveCursor(cursor: string, flags: Pick<FollowState, "checking"> = {}): Promise<boolean> {
    const pending = [...this.#work].map(
      ([connection_id, { shopId: shop_id, status, kinds, running }]) => {
        return {
          connection_id,
          shop_id,
          status,
          kinds: [...new Set([...running, ...kinds])].sort(),
        };
      },
    );
    const state: FollowState = { version: 1, cursor, ...flags, pending };
    const previous = this.#kept;
    if (JSON.stringify(state) === JSON.stringify(previous)) return true;
    if ((await this.#retry(async () => await this.#options.saveState(state, previous))) === false)
      return false;
    this.#kept = state;
    return true;
  }

  /** Loads the stored state and continues from it. Returns its cursor, or null. */
  async #reload(): Promise<string | null> {
    this.#kept = await this.#retry(async () => checkedState(await this.#options.loadState()));
    await this.#begin(this.#addPending(this.#kept?.pending ?? []));
    return this.#kept?.cursor ?? null;
  }

  /** Does all pending work of one connection. */
  async #process(id: string, work: Work): Promise<void> {
    for (let failures = 0; work.kinds.size > 0; ) {
      this.#signal.throwIfAborted();
      if (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve));
      else this.#free -= 1;
      this.#signal.throwIfAborted();
      work.running = work.kinds;
      work.kinds = new Set();
      const retryMs = await this.#sync(id, work, failures);
      const isNews = work.kinds.size > 0;
      if (retryMs !== null) for (const kind of work.running) work.kinds.add(kind);
      work.running = new Set();
      failures = retryMs ? failures + 1 : 0;
      const next = this.#queue.shift();
      if (next) next();
      else this.#free += 1;

      if (work.kinds.size === 0) this.#work.delete(id);
      const pause = retryMs && !isNews ? this.#pause(work, retryMs) : null;
      const inProgress = this.#inProgress;
      this.#options.onProgress?.({ inProgress, failing: this.#work.size - inProgress });
      for (const go of this.#waiting.splice(0)) go();
      await pause;
    }
  }

  /** Waits for `ms`, or for new work. */
  async #pause(work: Work, ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      work.wake = resolve;
    });
    await unlessAborted(
      Promise.race([woken, this.#source.clock.sleep(ms, this.#signal)]),
      this.#signal,
    );
    work.wake = null;
  }

  /** Null if all is done, else the backoff in milliseconds; 0 if it only yielded to others. */
  async #sync(
    id: string,
    { shopId, status, running }: Work,
    failures: number,
  ): Promise<number | null> {
    const { clock, partner } = this.#source;
    const end = clock.now() + MAX_RUN_MS;
    const isLate = () => clock.now() > end && this.#queue.length > 0;
    try {
      if (running.has("connection"))
        await this.#options.onConnectionChange?.({ connectionId: id, shopId, status });
      // A retry of the other kinds does not report it again.
      if (running.size > 1) running.delete("connection");
      const pending = { connection_id: id, shop_id: shopId, status, kinds: [...running] };
      return (await syncConnection(pending, partner.shop(id), this.#options, this.#signal, isLate))
        ? null
        : 0;
    } catch (error) {
      this.#signal.throwIfAborted();
      const isRefused = error instanceof UnknownConnection || isRefusal(error);
      // Only the store has this connection, with an invalid token.
      const isStale = isRefused && status === "unknown";
      // The merchant may be connecting it now, so the store will have its tokens soon.
      const mayPass = (isRefused && !isStale) || error instanceof CopyMoved;
      // Already reported. Later retries only read the store, where another program may put it.
      const isReported = error instanceof UnknownConnection && failures > SILENT_RETRIES;
      if (!mayPass || (failures >= SILENT_RETRIES && !isReported))
        await this.#options.onError(error, id);
      return isStale ? null : retryAfterMs(error, failures);
    }
  }

  /**
   * At the start and once a day, refreshes tokens that expire soon and reports expired connections,
   * because neither has an entry in the feed.
   */
  async #watchExpiry(): Promise<void> {
    const { clock, partner, prepare } = this.#source;
    const signal = this.#signal;
    const list = (status: ConnectionStatus) => partner.listConnections({ status, signal });
    for (;;) {
      await this.#retry(async () => {
        for await (const { id, expires_at } of list("connected")) {
          if (expires_at !== null && Date.parse(expires_at) < clock.now() + LAPSES_SOON_MS)
            prepare(id);
        }
        this.#heard.clear();
        const expired: PendingWork[] = [];
        for await (const { id, shop, status } of list("expired"))
          expired.push({ connection_id: id, shop_id: shop.id, status, kinds: ["connection"] });
        // Skip connections that the feed has reported since, or in progress: theirs may be newer.
        const isNewer = (id: string) => this.#heard.has(id) || this.#work.get(id)?.wake === null;
        await this.#begin(this.#addPending(expired.filter((each) => !isNewer(each.connection_id))));
      });
      await clock.sleep(DAY_MS, signal);
    }
  }

  /** Retries until it succeeds. @throws {CursorExpired}, and the signal's reason */
  async #retry<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      this.#signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (error instanceof CursorExpired) throw error;
        await this.#options.onError(error, null);
        await this.#source.clock.sleep(
          Math.min(LONGEST_RETRY_MS, retryAfterMs(error, failures)),
          this.#signal,
        );
      }
    }
  }
}

/**
 * Does the pending work of one connection. False if it was interrupted. @throws errors of callbacks
 * and calls
 */
async function syncConnection(
  { connection_id: connectionId, shop_id: shopId, status, kinds }: PendingWork,
  shop: ShopClient,
  options: FollowOptions,
  signal: AbortSignal,
  isLate: () => boolean,
): Promise<boolean> {
  const connection = { connectionId, shopId };
  // When it is connected again, the feed reports everything as new.
  if (!isLive(status)) return true;
  if (kinds.includes("questions") && options.applyQuestions) {
    const questions = [];
    for await (const question of shop.listQuestions({ signal })) questions.push(question);
    await options.applyQuestions(questions, connection);
  }
  if (!["responses", "deletions", "check"].some((kind) => kinds.includes(kind))) return true;

  let previous = (await options.loadCopyState(connectionId)) ?? null;
  const isTrue =
    !kinds.includes("check") || previous === null || (await isStillThere(shop, previous, signal));
  for await (const batch of shop.syncResponses(isTrue ? previous : null, { signal })) {
    if ((await options.apply(batch, { ...connection, previous })) === false) throw new CopyMoved();
    previous = batch.state;
    signal.throwIfAborted();
    if (isLate()) return false;
  }
  return true;
}

/**
 * True if the shop still has the copy's last record unchanged. A shop's changes commit in the order
 * of their times, so it then has everything the copy has. Otherwise its database was restored, or
 * the record changed: a full copy repairs both.
 */
async function isStillThere(
  shop: ShopClient,
  { response, deletion }: SyncState,
  signal: AbortSignal,
) {
  if (response) {
    const { updated_at: at } = response;
    const same = shop.listResponses({
      sort: "updated_at_desc",
      updated_at_min: at,
      updated_at_max: at,
      signal,
    });
    if (!(await hasId(same, response.id))) return false;
  }
  if (!deletion) return true;
  const { deleted_at: at } = deletion;
  return await hasId(
    shop.listDeletedResponses({ deleted_at_min: at, deleted_at_max: at, signal }),
    deletion.id,
  );
}

async function hasId(list: AsyncIterable<{ readonly id: string }>, id: string): Promise<boolean> {
  for await (const record of list) if (record.id === id) return true;
  return false;
}

function isLive(status: string | undefined): boolean {
  return status === "connected" || status === "unknown";
}

function pendingOf(changes: readonly Change[], ...also: readonly string[]): PendingWork[] {
  return changes.flatMap(({ connection_id, shop_id, status, kind }) => {
    if (connection_id === null || shop_id === null) return []; // concerns the client itself
    return [{ connection_id, shop_id, status, kinds: [kind, ...also] }];
  });
}

function retryAfterMs(error: unknown, failures: number): number {
  // Not an error, because another process has written the copy.
  if (error instanceof CopyMoved) return FIRST_RETRY_MS * (0.5 + Math.random());
  const requestedMs =
    Number((error as { readonly retryAfterSeconds?: number }).retryAfterSeconds ?? 0) * 1000;
  const isLasting = error instanceof PartnerConnectError && !error.isTemporary;
  const grown = Math.min(
    isLasting ? LASTING_RETRY_MS : LONGEST_RETRY_MS,
    FIRST_RETRY_MS * 2 ** Math.min(failures, 20),
  );
  return Math.max(requestedMs, grown * (0.75 + Math.random() / 4));
}

/** @throws {InvalidRequest} unless `saved` is null or a state of `follow` */
function checkedState(saved: FollowState | null | undefined): FollowState | null {
  if (saved === null || saved === undefined) return null;
  const { version, cursor, pending } = Object(saved) as Partial<FollowState>;
  if (version === 1 && typeof cursor === "string" && Array.isArray(pending)) return saved;
  throw new InvalidRequest(
    "loadState must return the last state given to saveState unchanged, or null to start over",
    "state",
  );
}
