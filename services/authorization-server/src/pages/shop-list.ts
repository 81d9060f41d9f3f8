import { MAX_SEARCH, nameSearch } from "./names.ts";

export type ShopList<Item> = ReturnType<typeof shopList<Item>>;

/** Lists with more items than this can be searched. */
const FEW = 5;

/** Items per page. */
export const LISTED = 50;

interface Shown<Item> {
  /** The sort key; numbers sort in their natural order, 2 before 10. */
  readonly name: (item: Item) => string;
  /** Further text that a search matches. */
  readonly more: (item: Item) => string;
  /** Items that come first in a long list, regardless of the search. */
  readonly keeps?: (item: Item) => boolean;
  readonly search: string;
  readonly page: number;
  /** A BCP 47 tag. */
  readonly tag: string;
}

/**
 * A page, counted from 1, of a merchant's shops or of what belongs to them. `found`: the number of
 * items that match the search, or of all without one. `isLong`: whether the list can be searched.
 */
export function shopList<Item>(items: readonly Item[], shown: Shown<Item>) {
  const { name, more, keeps = () => false, tag } = shown;
  const isLong = items.length > FEW;
  const search = isLong ? shown.search.slice(0, MAX_SEARCH).trim() : "";
  const isFound = nameSearch(search);
  const { compare } = new Intl.Collator(tag, { numeric: true });
  const ordered = items.toSorted((one, other) => compare(name(one), name(other)));
  const found = ordered.filter((item) => isFound(`${name(item)} ${more(item)}`));
  const pages = Math.max(1, Math.ceil(found.length / LISTED));
  const page = Math.min(Math.max(1, shown.page), pages);
  const onPage = new Set(found.slice((page - 1) * LISTED, page * LISTED));
  const kept = isLong ? ordered.filter(keeps) : [];
  const listed = [...new Set([...kept, ...ordered.filter((item) => onPage.has(item))])];
  return { listed, found: found.length, all: items.length, page, pages, search, isLong };
}

/** The page number in a query or form; 1 if it is not a number. */
export function pageNumber(text: string): number {
  return Number(/^\d{1,6}$/.exec(text)?.[0] ?? 1);
}
