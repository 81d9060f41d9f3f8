import type { DatabaseSync } from "node:sqlite";
import type { PartnerConnect } from "@partner-connect/partner-sdk";
import type { Config } from "./config.ts";
import type { ShopStore } from "./shops/shop-store.ts";

export interface Sample {
  readonly config: Config;
  readonly partnerConnect: PartnerConnect;
  readonly shops: ShopStore;
  readonly database: DatabaseSync;
}
