import { MAX_SEARCH, nameSearch } from "../pages/name-search.ts";
import type { ShopOffer } from "./shop-offer.ts";

/** Above this many shops the list has an edge of its own, and can be searched. */
const FEW = 5;

export interface ShopList {
  readonly listed: readonly ShopOffer[];
  /** How many of them a search finds; all of them if nothing was searched for. */
  readonly found: number;
  readonly all: number;
  readonly isLong: boolean;
  readonly search: string;
}

/** The offers by name, numbers in their natural order, as far as a search finds them. The one that is chosen stays among them. */
export function shopList(
  offers: readonly ShopOffer[],
  search: string,
  tag: string,
  chosenShopId: string | null = null,
): ShopList {
  const isLong = offers.length > FEW;
  const collator = new Intl.Collator(tag, { numeric: true });
  const ordered = offers.toSorted((one, other) => collator.compare(one.shop.name, other.shop.name));
  const typed = isLong ? search.slice(0, MAX_SEARCH).trim() : "";
  const isFound = nameSearch(typed);
  const found = ordered.filter(({ shop }) => isFound(`${shop.name} ${shop.domain ?? ""}`));
  const listed = ordered.filter((offer) => offer.shop.id === chosenShopId || found.includes(offer));
  return { listed, found: found.length, all: offers.length, isLong, search: typed };
}
