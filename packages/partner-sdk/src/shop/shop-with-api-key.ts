import { baseUrl } from "../base-url.ts";
import { type Clock, systemClock } from "../clock.ts";
import { apiKeyCredential } from "../credential.ts";
import { ShopClient } from "./shop-client.ts";

export interface ApiKeyOptions {
  /** The API's base URL: the one base URL, or the API hostname. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: Clock;
}

/** The client of the shop whose API key this is. */
export function shopWithApiKey(options: ApiKeyOptions): ShopClient {
  return new ShopClient({
    apiUrl: baseUrl(options.baseUrl),
    credential: apiKeyCredential(options.apiKey),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
  });
}
