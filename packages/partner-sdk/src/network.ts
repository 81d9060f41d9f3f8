/** The clock of the SDK; tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sleeping = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await unlessAborted(sleeping, signal).finally(() => clearTimeout(timer));
  },
};

/** Rejects with the signal's reason when it is aborted; `work` continues for other callers. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** There was no response. The message has the server's address and the cause, and no secret. */
export class NoAnswer extends Error {
  /**
   * The address is probably wrong: DNS, TLS or connection failed, and the server has never
   * responded.
   */
  readonly isMisplaced: boolean;

  constructor(message: string, isMisplaced: boolean, options: ErrorOptions) {
    super(message, options);
    this.isMisplaced = isMisplaced;
  }
}

type Fetch = typeof globalThis.fetch;

/** Codes and texts by which Node, Bun and Deno say that an address is wrong. */
const MISPLACED =
  /^E(?:CONNREFUSED|NOTFOUND|HOSTUNREACH)$|CERT|SSL|connection ?refused|OpenSocket|dns error/i;

/**
 * A `fetch` that throws {@link NoAnswer}, and remembers which servers have responded. An abort is
 * rethrown.
 */
export function watchedFetch(fetch: Fetch = (input, init) => globalThis.fetch(input, init)): Fetch {
  const answered = new Set<string>();
  return async (input, init) => {
    const { origin } = new URL(String(input));
    try {
      const answer = await fetch(input, init);
      answered.add(origin);
      return answer;
    } catch (failure) {
      if (init?.signal?.aborted) throw failure;
      const cause = causeOf(failure);
      const isMisplaced = !answered.has(origin) && MISPLACED.test(cause);
      const advice = "check the base URL, and the proxy if you need one";
      const where = isMisplaced
        ? `nothing answers at ${origin}, ${advice}`
        : `no answer from ${origin}`;
      throw new NoAnswer(`${where}: ${cause}`, isMisplaced, { cause: failure });
    }
  };
}

/**
 * A code such as ECONNREFUSED, or the end of the message: its beginning may contain the whole URL.
 */
function causeOf(failure: unknown): string {
  const { cause, code, message } = Object(failure);
  const text = String(cause?.message || message || failure);
  return String(cause?.code ?? code ?? text.split(": ").at(-1));
}

/** The parsed object; empty if `text` is not a JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/** `Retry-After` in seconds, from a number or a date (RFC 9110 §10.2.3). */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(Math.ceil((at - now) / 1000), 0);
}

/** 256 random bits as base64url, for `state` or `code_verifier` (RFC 7636 §4.1). */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 as base64url; of a `code_verifier` it is the `code_challenge` (RFC 7636 §4.2, S256). */
export async function digest(text: string): Promise<string> {
  return base64url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
  );
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
