import { Completion, type CompletionSteps } from "./completion.ts";

/** Longer than a merchant reloads a page that said 'try again'. The access token lives no longer either. */
const KEPT_MS = 10 * 60_000;

/**
 * The authorizations that were completed a short while ago, or are being completed. A callback that comes twice (a reload, a
 * double click, a retry after an error) goes on where the first one is: its code is not sent again, and its tokens are
 * not lost when only the store or the API failed.
 */
export class Completions {
  readonly #steps: CompletionSteps;
  readonly #begun = new Map<string, { readonly completion: Completion; readonly until: number }>();

  constructor(steps: CompletionSteps) {
    this.#steps = steps;
  }

  /** @param state of the authorization, which was made for it alone */
  of(state: string, now: number): Completion {
    for (const [other, { until }] of this.#begun) if (until <= now) this.#begun.delete(other);
    const begun = this.#begun.get(state);
    if (begun) return begun.completion;
    const completion = new Completion(this.#steps);
    this.#begun.set(state, { completion, until: now + KEPT_MS });
    return completion;
  }
}
