import type { ShopOffer } from "./shop-offer.ts";

/** Above this many shops each of them has one line, and the page can be searched. */
const FEW = 5;

/** Characters of a search that are read. No name of a shop is longer. */
const MAX_SEARCH = 200;

/** The offers as the page lists them. */
export interface ShopList {
  readonly listed: readonly ShopOffer[];
  /** How many shops the merchant has. */
  readonly all: number;
  readonly isLong: boolean;
  /** What was searched for; empty if nothing was. */
  readonly search: string;
}

/** The offers by name, numbers in their natural order (2 before 10), without those that a search does not find. */
export function shopList(offers: readonly ShopOffer[], search: string, tag: string): ShopList {
  const isLong = offers.length > FEW;
  const collator = new Intl.Collator(tag, { numeric: true });
  const ordered = offers.toSorted((one, other) => collator.compare(one.shop.name, other.shop.name));
  const typed = isLong ? search.slice(0, MAX_SEARCH).trim() : "";
  const words = comparable(typed).split(/\s+/);
  const listed = ordered.filter(({ shop }) => {
    const text = comparable(`${shop.name} ${shop.domain ?? ""}`);
    return words.every((word) => text.includes(word));
  });
  return { listed, all: offers.length, isLong, search: typed };
}

/** As people compare names: without case, accents and width. */
function comparable(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
