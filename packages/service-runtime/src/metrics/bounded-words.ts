const WORD = /^[a-z][a-z0-9_]{0,47}$/;

/** In place of what is no word, or one too many. */
const OTHER = "other";

/**
 * Values of a label, as they come: words of a bounded set that is written down elsewhere, such as reasons of refusals. A mistake
 * there must not fill the memory of Prometheus, so at most `max` words count as themselves.
 */
export function boundedWords(max = 60): (word: string) => string {
  const known = new Set<string>();
  return (word) => {
    if (known.has(word)) return word;
    if (known.size >= max || !WORD.test(word)) return OTHER;
    known.add(word);
    return word;
  };
}
