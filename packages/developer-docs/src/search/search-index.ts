import MiniSearch, { type SearchResult } from "minisearch";
import type { Section } from "./sections.ts";

export interface Found {
  readonly section: Section;
  /** The words of the docs that were found, in lower case. */
  readonly words: readonly string[];
}

const MOST_WORDS = 8;
const MOST_RESULTS = 20;

/** Ranked: what has all words, then what has words that are alike, then what has some of them. */
export function searchIndex(sections: readonly Section[]): (query: string) => Found[] {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ["heading", "title", "text"],
    tokenize: wordsOf,
    // `invalid_grant` is found by its parts too.
    processTerm: (word) => (word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : word),
    searchOptions: {
      processTerm: (word) => word,
      boost: { heading: 4, title: 2 },
      // Long tables, such as that of errors, are what many look for.
      bm25: { k: 1.2, b: 0.2, d: 0.5 },
      prefix: (word) => word.length > 2,
      combineWith: "AND",
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) => {
    const words = wordsOf(query).slice(0, MOST_WORDS).join(" ");
    let results: SearchResult[] = index.search(words);
    if (results.length === 0) results = index.search(words, { fuzzy: (word) => (word.length > 3 ? 0.25 : false) });
    if (results.length === 0) results = index.search(words, { combineWith: "OR" });
    return results.slice(0, MOST_RESULTS).flatMap(({ id, terms }) => {
      const section = sections[id];
      return section ? [{ section, words: terms }] : [];
    });
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
