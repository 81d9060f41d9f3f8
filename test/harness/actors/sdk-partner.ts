import {
  type ConnectionStore,
  MemoryStore,
  PartnerConnect,
  type PartnerConnectError,
  type StoredConnection,
} from "@partner-connect/partner-sdk";
import { type MovedClock, movedClock } from "@partner-connect/partner-sdk/testing";
import type { FaultyProxy, ProxiedCall } from "../faults/faulty-proxy.ts";
import type { StackUnderTest } from "../stack/stacks.ts";
import { type MerchantBrowser, merchantBrowser } from "./merchant-browser.ts";
import { type MerchantAccount, type PartnerClient, REDIRECT_URI, type ShopRecord } from "./onboarding.ts";

export interface SdkPartnerOptions {
  readonly stack: StackUnderTest;
  readonly client: PartnerClient;
  readonly merchant: MerchantAccount;
  /** The network between. */
  readonly proxy: FaultyProxy;
  readonly store?: ConnectionStore;
}

/** A partner's backend on the SDK, and a merchant who approves. */
export interface SdkPartner {
  readonly partnerConnect: PartnerConnect;
  readonly store: ConnectionStore;
  /** Time as the SDK sees it: it stands still while the SDK doesn't wait, and waiting takes no time of the test. */
  readonly clock: MovedClock;
  /** Up to the callback that the browser is sent to. */
  authorize(shop: ShopRecord, scope?: readonly string[]): Promise<Authorized>;
  connect(shop: ShopRecord, scope?: readonly string[]): Promise<StoredConnection>;
  /** The calls of the token endpoint while `work` runs. */
  tokenCalls(work: () => Promise<unknown>): Promise<readonly ProxiedCall[]>;
}

export type Authorized = Parameters<PartnerConnect["completeAuthorization"]>;

export const TOKEN_PATH = "/oauth/api/token";

/** Of refreshes, alone or together. */
export const BATCH_PATH = "/oauth/api/token/batch";

export function sdkPartner(options: SdkPartnerOptions): SdkPartner {
  const { stack, client, merchant, proxy, store = new MemoryStore() } = options;
  const clock = movedClock(Date.now());
  const partnerConnect = new PartnerConnect({
    baseUrl: stack.base_url,
    clientId: client.clientId,
    clientSecret: client.secret,
    store,
    fetch: proxy.fetch,
    clock: { now: clock.now, sleep: (ms) => clock.advance(ms) },
  });
  const browser: MerchantBrowser = merchantBrowser(merchant);
  async function authorize(shop: ShopRecord, scope: readonly string[] = ["responses:read"]): Promise<Authorized> {
    const { url, pending } = await partnerConnect.beginAuthorization({ redirectUri: REDIRECT_URI, scope });
    return [await browser.approve(url, shop), pending];
  }
  return {
    partnerConnect,
    store,
    clock,
    authorize,
    connect: async (shop, scope) => await partnerConnect.completeAuthorization(...(await authorize(shop, scope))),
    async tokenCalls(work) {
      const before = proxy.calls.length;
      await work();
      return proxy.calls.slice(before).filter(({ path }) => path === TOKEN_PATH || path === BATCH_PATH);
    },
  };
}

/** The error that the work fails with. */
export function failure(work: Promise<unknown>): Promise<PartnerConnectError> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );
}
