import type { Scope } from "@partner-connect/contract";
import type { AccountView } from "../../merchant-page/frame/account.view.ts";
import type { ShopOffer } from "../offers/shop-offer.ts";
import type { AppIdentity } from "./app-identity.ts";

/** What the pages of a merchant who is signed in show of an authorization. */
export interface ShownAuthorization {
  readonly app: AppIdentity;
  /** The host that the merchant returns to. */
  readonly host: string;
  readonly requested: readonly Scope[];
  /** Of all shops; at least one can be chosen. */
  readonly offers: readonly ShopOffer[];
  /** What the merchant searches for among the shops. */
  readonly search: string;
  /** After how many seconds without use the access ends. */
  readonly unusedSeconds: number;
  /** The shop that was chosen before the page was shown again. */
  readonly chosenShopId: string | null;
  readonly action: string;
  /** Where the form is sent to see the page again, after a search or in another language. */
  readonly lookPath: string;
  readonly token: string;
  readonly problem: string | null;
  readonly account: AccountView;
}
