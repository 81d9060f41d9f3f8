import { type HtmlValue, html } from "@partner-connect/service-runtime/html";

const LENGTH = 200;

/** The part of a text that has most of the words, each marked. */
export function excerpt(text: string, words: readonly string[]): HtmlValue {
  const places = [...text.matchAll(anyOf(words))].map(({ index, 0: word }) => ({ index, word: word.toLowerCase() }));
  const differentFrom = (start: number) =>
    new Set(places.filter(({ index }) => index >= start && index < start + LENGTH - 40).map(({ word }) => word)).size;
  const best = places.reduce(
    (a, b) => (differentFrom(b.index) > differentFrom(a.index) ? b : a),
    places[0] ?? { index: 0, word: "" },
  );
  const from = best.index < 60 ? 0 : text.indexOf(" ", best.index - 60) + 1;
  const end = text.length <= from + LENGTH ? text.length : text.lastIndexOf(" ", from + LENGTH);
  const to = end > best.index ? end : from + LENGTH;
  return html`${from > 0 && "… "}${marked(text.slice(from, to), words)}${to < text.length && " …"}`;
}

export function marked(text: string, words: readonly string[]): HtmlValue {
  return text.split(anyOf(words)).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
}

/** Matches a word where it begins one, or a part of one that has underscores. */
function anyOf(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join("|") || "(?!)"})(?![\\p{L}\\p{N}])`, "giu");
}
