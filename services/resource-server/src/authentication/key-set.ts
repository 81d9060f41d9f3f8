import { setTimeout as sleep } from "node:timers/promises";
import { SIGNING_ALGORITHMS } from "@partner-connect/contract";
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from "jose";

/** A fault: the authorization server's keys can't be fetched, so no token can be judged. */
class KeysUnavailableError extends Error {
  readonly code = "KEYS_UNAVAILABLE";
}

const FETCH_PAUSE_MS = 1000;
const FETCH_TIMEOUT_MS = 2000;
/** Makes caches revalidate. Otherwise a stale response could remove keys that we already have. */
const REVALIDATED = { "cache-control": "no-cache" };

/**
 * The authorization server's public keys. They are fetched at the start, every minute and for an
 * unknown `kid`, but at most once per second. If that server is down, or its response has no usable
 * key, the last keys remain valid. See DECISIONS.md, 'The key set is ours'.
 */
export class KeySet {
  readonly #url: string;
  readonly #everyMs: number;
  #keys: JWTVerifyGetKey | undefined;
  #kids: ReadonlySet<string> = new Set();
  #unusable: ReadonlySet<string> = new Set();
  #refreshing: Promise<void> | undefined;
  #lastFetch = Number.NEGATIVE_INFINITY;
  #fetchedAt: number | undefined;
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, refreshSeconds: number) {
    this.#url = url;
    this.#everyMs = refreshSeconds * 1000;
  }

  /**
   * Fetches immediately, retries every second until it succeeds, and then refreshes periodically.
   */
  start(): void {
    const next = (): void => {
      this.#timer = setTimeout(run, this.#keys ? this.#everyMs : FETCH_PAUSE_MS).unref();
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

  /** The error of the last fetch, as long as none has succeeded. */
  get failure(): Error | undefined {
    return this.#keys ? undefined : this.#failure;
  }

  /**
   * The body of `/keys` on the internal port, for `doctor`: key ids, and the age of the last fetch,
   * or null if there was none yet.
   */
  report(): { known: string[]; age_seconds: number | null } {
    const age = this.#fetchedAt === undefined ? null : performance.now() - this.#fetchedAt;
    return { known: [...this.#kids], age_seconds: age === null ? null : Math.floor(age / 1000) };
  }

  /** False once the key is withdrawn, which invalidates the tokens it signed. */
  has(kid: string): boolean {
    return this.#kids.has(kid);
  }

  /**
   * Returns the key that verifies tokens of `kid`; null if there is none.
   * @throws {KeysUnavailableError} if the keys can't be fetched
   */
  async verifierFor(kid: string): Promise<JWTVerifyGetKey | null> {
    const asked = performance.now();
    if (!this.#kids.has(kid)) await this.#refresh();
    // A fetch that was under way may have missed a key published since.
    if (!this.#kids.has(kid) && (this.#fetchedAt ?? 0) < asked) await this.#refresh();
    if (this.#unusable.has(kid))
      throw new KeysUnavailableError(`the key ${kid} of ${this.#url} can't be used`);
    return this.#keys && this.#kids.has(kid) ? this.#keys : null;
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#fetch()
      .catch((error: Error) => {
        this.#failure = error;
        throw error;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async #fetch(): Promise<void> {
    const wait = this.#lastFetch + FETCH_PAUSE_MS - performance.now();
    if (wait > 0) await sleep(wait);
    const started = performance.now();
    this.#lastFetch = started;
    const { keys, usable, unusable } = await fetchKeys(this.#url);
    this.#keys = keys;
    this.#kids = usable;
    this.#unusable = unusable;
    this.#fetchedAt = started;
  }
}

interface FetchedKeys {
  readonly keys: JWTVerifyGetKey;
  readonly usable: ReadonlySet<string>;
  readonly unusable: ReadonlySet<string>;
}

async function fetchKeys(url: string): Promise<FetchedKeys> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      headers: REVALIDATED,
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as Partial<JSONWebKeySet>;
    return await importKeys(
      Array.isArray(keys) ? keys.filter((key) => typeof key?.kid === "string") : [],
    );
  } catch (error) {
    throw new KeysUnavailableError(`no keys from ${url}`, { cause: error });
  }
}

/** Imports each key as a verification would, and separates usable from unusable keys. */
async function importKeys(named: readonly JWK[]): Promise<FetchedKeys> {
  const keys = createLocalJWKSet({ keys: [...named] });
  const usable = new Set<string>();
  const unusable = new Set<string>();
  for (const { kid = "", alg = "" } of named) {
    const isUsable =
      SIGNING_ALGORITHMS.some((allowed) => allowed === alg) &&
      (await keys({ alg, kid }).then(
        () => true,
        () => false,
      ));
    (isUsable ? usable : unusable).add(kid);
  }
  if (usable.size === 0) throw new Error("no key in the answer can be used");
  return { keys, usable, unusable };
}
