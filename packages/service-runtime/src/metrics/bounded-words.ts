const WORD = /^[a-z][a-z0-9_]{0,47}$/;

/** In place of what is no word, or one too many. */
export const OTHER = "other";

/**
 * Values of a label, as they come: words of a bounded set that is written down elsewhere, such as reasons of refusals. A mistake
 * there must not fill the memory of Prometheus, so at most `max` words count as themselves.
 */
export class BoundedWords {
  readonly #known = new Set<string>();
  readonly #max: number;

  constructor(max = 60) {
    this.#max = max;
  }

  of(word: string): string {
    if (this.#known.has(word)) return word;
    if (this.#known.size >= this.#max || !WORD.test(word)) return OTHER;
    this.#known.add(word);
    return word;
  }
}
