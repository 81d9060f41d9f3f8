import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

/** The authorization server's keys can't be had now, so nothing can be said about a token. */
export class KeysUnavailableError extends Error {
  readonly code = "KEYS_UNAVAILABLE";
}

const PERIOD_MS = 60_000;
const COOLDOWN_MS = 1000;
const FETCH_TIMEOUT_MS = 2000;

/**
 * The authorization server's public keys. Fetched at the start and every minute; what was fetched last serves for as
 * long as that server is away. An unknown `kid` is looked for once more before it is refused, yet however many
 * such tokens come, there is one fetch a second at most: they wait for it together.
 */
export class KeySet {
  readonly #url: string;
  readonly #onRemoved: () => void;
  #keys: JWTVerifyGetKey | undefined;
  #kids: ReadonlySet<string> = new Set();
  #refreshing: Promise<void> | undefined;
  #lastFetch = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `onRemoved` is told when a key is withdrawn: what it signed counts no more. */
  constructor(url: string, onRemoved: () => void) {
    this.#url = url;
    this.#onRemoved = onRemoved;
  }

  /** Fetches now, again every second until it works, and then every minute. */
  start(): void {
    const next = (): void => {
      this.#timer = setTimeout(run, this.#keys ? PERIOD_MS : COOLDOWN_MS).unref();
    };
    const run = (): void => void this.#refresh().then(next, next);
    run();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  get loaded(): boolean {
    return this.#keys !== undefined;
  }

  /**
   * The key that verifies tokens of `kid`, or null when the authorization server has no such key.
   * @throws {KeysUnavailableError} when that can't be known now
   */
  async find(kid: string): Promise<JWTVerifyGetKey | null> {
    if (!this.#kids.has(kid)) await this.#refresh();
    return this.#keys && this.#kids.has(kid) ? this.#keys : null;
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#fetch().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #fetch(): Promise<void> {
    const wait = this.#lastFetch + COOLDOWN_MS - performance.now();
    if (wait > 0) await sleep(wait);
    this.#lastFetch = performance.now();
    const keys = await fetchKeys(this.#url);
    const kids = new Set(keys.keys.map((key) => String(key.kid)));
    const removed = this.#kids.difference(kids).size > 0;
    this.#keys = createLocalJWKSet(keys);
    this.#kids = kids;
    if (removed) this.#onRemoved();
  }
}

async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as Partial<JSONWebKeySet>;
    const named = Array.isArray(keys) ? keys.filter((key) => typeof key?.kid === "string") : [];
    if (named.length === 0) throw new Error("no keys in the answer");
    return { keys: named };
  } catch (error) {
    throw new KeysUnavailableError(`no keys from ${url}`, { cause: error });
  }
}
