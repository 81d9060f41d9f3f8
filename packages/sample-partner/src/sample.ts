import type { PartnerConnect } from "@partner-connect/partner-sdk";
import type { ChannelStore } from "./channels/channel-store.ts";
import type { Config } from "./config.ts";
import type { ResponseStore } from "./responses/response-store.ts";
import type { ShopStore } from "./shops/shop-store.ts";
import type { SourceStore } from "./sources/source-store.ts";
import type { Syncs } from "./sync/syncs.ts";

/** What routes are given. */
export interface Sample {
  readonly config: Config;
  readonly partnerConnect: PartnerConnect;
  readonly shops: ShopStore;
  readonly responses: ResponseStore;
  readonly channels: ChannelStore;
  readonly sources: SourceStore;
  readonly syncs: Syncs;
}
