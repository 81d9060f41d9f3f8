import type { Scope } from "@partner-connect/contract";
import type { OpenAuthorization } from "./sealed-request.ts";
import type { ShopOffer } from "./shop-offer.ts";

export interface ConsentView {
  readonly authorization: OpenAuthorization;
  readonly merchantId: string;
  readonly requested: readonly Scope[];
  readonly offers: readonly ShopOffer[];
  readonly search: string;
  /** The shop that was chosen before the page was shown again. */
  readonly chosenShopId: string | null;
  /** Of the optional scopes, what was left out before the page was shown again. */
  readonly leftOut: readonly Scope[];
  /** After how many seconds without use the access ends. */
  readonly unusedSeconds: number;
  readonly token: string;
  readonly problem: ConsentProblem | null;
}

/** Why a decision is refused: for the log, and the status and the text of the page that is then shown again. */
export const CONSENT_PROBLEMS = {
  form_out_of_date: { status: 403, text: "outOfDate" },
  other_account: { status: 409, text: "otherAccount" },
  nothing_chosen: { status: 422, text: "chooseFirst" },
  shop_not_offered: { status: 422, text: "notOffered" },
  offer_changed: { status: 409, text: "changed" },
  nothing_left: { status: 422, text: "nothingLeft" },
  connection_disabled: { status: 409, text: "held" },
} as const;

export type ConsentProblem = keyof typeof CONSENT_PROBLEMS;
