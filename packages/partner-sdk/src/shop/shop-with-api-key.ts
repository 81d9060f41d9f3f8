import { baseUrl } from "../base-url.ts";
import { type Clock, systemClock } from "../clock.ts";
import { apiKeyCredential } from "../credential.ts";
import { checkedCredential } from "../misuse.ts";
import { watchedFetch } from "../reach.ts";
import { ShopClient } from "./shop-client.ts";

export interface ApiKeyOptions {
  /** The API's base URL: the one base URL, or the API hostname. */
  readonly baseUrl: string;
  /** `pck_…`. It is sent as it is. */
  readonly apiKey: string;
  /** For a proxy, or to log calls. Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
  /** For tests. Default: `systemClock`. */
  readonly clock?: Clock;
}

/** The client of the shop whose API key this is. @throws {InvalidBaseUrl | InvalidRequest} */
export function shopWithApiKey(options: ApiKeyOptions): ShopClient {
  return new ShopClient({
    apiUrl: baseUrl(options.baseUrl),
    credential: apiKeyCredential(checkedCredential("apiKey", options.apiKey)),
    fetch: watchedFetch(options.fetch),
    clock: options.clock ?? systemClock,
  });
}
