/** No answer came. The message has the server's address and the cause, and no secret. */
export class NoAnswer extends Error {
  /** It is most likely not there: it refuses connections, or has no such name or certificate, and has never answered before. */
  readonly isMisplaced: boolean;

  constructor(message: string, isMisplaced: boolean, options: ErrorOptions) {
    super(message, options);
    this.isMisplaced = isMisplaced;
  }
}

type Fetch = typeof globalThis.fetch;

/** As Node, Bun and Deno say it. */
const MISPLACED = /^E(?:CONNREFUSED|NOTFOUND|HOSTUNREACH)$|CERT|SSL|connection ?refused|OpenSocket|dns error/i;

/** `fetch` that throws {@link NoAnswer}, and knows which servers have ever answered. What was aborted it throws as it is. */
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
      const where = isMisplaced ? `nothing answers at ${origin}, check the base URL` : `no answer from ${origin}`;
      throw new NoAnswer(`${where}: ${cause}`, isMisplaced, { cause: failure });
    }
  };
}

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: Failure;
}

/** A code such as ECONNREFUSED, or else the last words of the message: the first ones may have the whole URL. */
function causeOf(failure: unknown): string {
  const { cause, code, message } = Object(failure) as Failure;
  const text = String(cause?.message || message || failure);
  return String(cause?.code ?? code ?? text.split(": ").slice(-1));
}
