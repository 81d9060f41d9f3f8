import type { Connection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { MAX_SEARCH, nameSearch } from "../pages/names.ts";

export interface ShopApps {
  readonly shop: Shop;
  /** Its connections that are not revoked; null where the shop can't be read now. */
  readonly apps: readonly Connection[] | null;
}

/** What is shown of a merchant's shops at a time. */
export interface ShopPage {
  /** Of few shops all by name, numbers in their natural order; of many a page of those with an app, the newest approval first. */
  readonly shown: readonly ShopApps[];
  /** Shops without an app, which a merchant of many shops finds below the others. */
  readonly without: readonly Shop[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly found: number;
  readonly all: number;
  readonly search: string;
  /** More than five: the page has a search. */
  readonly isLong: boolean;
}

/** With more shops than this, those without an app stand apart, and the page can be searched. */
const FEW = 5;

const SHOPS_PER_PAGE = 20;

export function shopPage(
  shops: readonly ShopApps[],
  { search, page }: { readonly search: string; readonly page: number },
): ShopPage {
  const isLong = shops.length > FEW;
  const { compare } = new Intl.Collator("en", { numeric: true });
  const ordered = shops.toSorted((a, b) => compare(a.shop.name, b.shop.name));
  const typed = isLong ? search.slice(0, MAX_SEARCH).trim() : "";
  const isFound = nameSearch(typed);
  const found = ordered.filter((each) => isFound(namesOf(each)));
  const without = isLong ? found.filter(isEmpty) : [];
  const cards = isLong ? found.filter((each) => !isEmpty(each)).toSorted(byApproval) : found;
  const pages = Math.max(1, isLong ? Math.ceil(cards.length / SHOPS_PER_PAGE) : 1);
  const at = Math.min(Math.max(1, page), pages);
  return {
    shown: isLong ? cards.slice((at - 1) * SHOPS_PER_PAGE, at * SHOPS_PER_PAGE) : cards,
    without: without.map(({ shop }) => shop),
    page: at,
    pages,
    found: found.length,
    all: shops.length,
    search: typed,
    isLong,
  };
}

function namesOf({ shop, apps }: ShopApps): string {
  return [shop.name, shop.domain ?? "", ...(apps ?? []).map(({ clientName }) => clientName)].join(" ");
}

/** The newest first. What can't be read now comes before all, as it may be newer. */
function byApproval(a: ShopApps, b: ShopApps): number {
  const newest = ({ apps }: ShopApps) =>
    apps === null ? Infinity : Math.max(...apps.map(({ approvedAt }) => approvedAt.getTime()));
  const [one, other] = [newest(a), newest(b)];
  return one === other ? 0 : other - one;
}

function isEmpty({ apps }: ShopApps): boolean {
  return apps?.length === 0;
}
