/**
 * As what a refusal is counted of its client. Calls of the API: `refused` (4xx), `limited` (429), `failed` (5xx). The token endpoint:
 * `token_refused`, `token_failed`. The first step of an authorization: `authorize_refused`.
 */
export const REFUSAL_KINDS = [
  "refused",
  "limited",
  "failed",
  "token_refused",
  "token_failed",
  "authorize_refused",
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** One request that was refused, limited or failed. It has words of ours and ids alone: nothing of what the caller sent, and no secret. */
export interface Refusal {
  readonly clientId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The `x-request-id` of its answer. */
  readonly requestId: string;
  /** `GET /api/responses`: the method and the path of the route. */
  readonly call: string;
  readonly status: number;
  readonly what: RefusalKind;
  readonly reason: string;
  /** As the answer has it; null: its body was a page. */
  readonly error: string | null;
  /** The parameter that broke a rule. */
  readonly param: string | null;
  readonly connectionId: string | null;
}

/** A request that was not answered as asked, in words of ours and ids: what its log record has. */
export interface Answered {
  readonly requestId: string;
  readonly call: string;
  readonly status: number;
  readonly clientId?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly reason?: string | undefined;
  readonly limit?: string | undefined;
  readonly error?: string | undefined;
  readonly param?: string | undefined;
}

/** Of a client and reason, between two writes: a flood of one refusal leaves room for every other. */
const KEPT_OF_A_REASON = 10;

/** Some 2 MB. It is reached by floods of hundreds of clients at once, or while Postgres is away. */
const MAX_KEPT = 4000;

/** Keeps examples of what was refused, in this process alone, until they are stored. All of it is counted; not all of it is kept. */
export class KeptRefusals {
  readonly #kept = new Map<string, Refusal[]>();
  #size = 0;

  add(refusal: Refusal): void {
    const key = `${refusal.clientId} ${refusal.what} ${refusal.reason}`;
    const kept = this.#kept.get(key);
    if ((kept?.length ?? 0) >= KEPT_OF_A_REASON || this.#size >= MAX_KEPT) return;
    if (kept) kept.push(refusal);
    else this.#kept.set(key, [refusal]);
    this.#size++;
  }

  /** Everything that was kept, to be stored; nothing of it is kept here any more. */
  take(): Refusal[] {
    const all = [...this.#kept.values()].flat();
    this.#kept.clear();
    this.#size = 0;
    return all;
  }

  /** What could not be stored is kept again. */
  giveBack(refusals: readonly Refusal[]): void {
    for (const refusal of refusals) this.add(refusal);
  }
}
