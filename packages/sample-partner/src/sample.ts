import type { DatabaseSync } from "node:sqlite";
import type { PartnerConnect } from "@partner-connect/partner-sdk";
import type { Config } from "./config.ts";
import type { ShopStore } from "./shops/shop-store.ts";
import type { Syncs } from "./sync/syncs.ts";

/** What routes are given. */
export interface Sample {
  readonly config: Config;
  readonly partnerConnect: PartnerConnect;
  readonly shops: ShopStore;
  /** Our copy of the responses, and the sources that we created. */
  readonly database: DatabaseSync;
  readonly syncs: Syncs;
}
