/** Characters of a search that are read. No name of a shop is longer. */
export const MAX_SEARCH = 200;

/** Whether a text has each word of what was searched for. An empty search finds everything. */
export function nameSearch(search: string): (text: string) => boolean {
  const words = comparable(search.slice(0, MAX_SEARCH)).split(/\s+/);
  return (text) => {
    const name = comparable(text);
    return words.every((word) => name.includes(word));
  };
}

/** As people compare names: without case, accents and width. */
function comparable(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
