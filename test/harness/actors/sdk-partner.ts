import {
  MemoryStore,
  PartnerConnect,
  type PartnerConnectError,
  type StoredConnection,
} from "@partner-connect/partner-sdk";
import { movedClock } from "@partner-connect/partner-sdk/testing";
import type { FaultyProxy, ProxiedCall } from "../faults/faulty-proxy.ts";
import type { StackUnderTest } from "../stack/stacks.ts";
import { type MerchantBrowser, merchantBrowser } from "./merchant-browser.ts";
import {
  type MerchantAccount,
  type PartnerClient,
  REDIRECT_URI,
  type ShopRecord,
} from "./onboarding.ts";

export interface SdkPartnerOptions {
  readonly stack: StackUnderTest;
  readonly client: PartnerClient;
  readonly merchant: MerchantAccount;
  /** The network between SDK and stack. */
  readonly proxy: FaultyProxy;
  /** Default: an empty one. */
  readonly store?: FailingStore;
}

export type SdkPartner = ReturnType<typeof sdkPartner>;

export type Authorized = Parameters<PartnerConnect["completeAuthorization"]>;

export const TOKEN_PATH = "/oauth/api/token";

export const BATCH_PATH = "/oauth/api/token/batch";

/** A partner's backend on the SDK, and a merchant who approves. */
export function sdkPartner(options: SdkPartnerOptions) {
  const { stack, client, merchant, proxy, store = new FailingStore() } = options;
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
  async function authorize(
    shop: ShopRecord,
    scope: readonly string[] = ["responses:read"],
  ): Promise<Authorized> {
    const { url, pending } = await partnerConnect.beginAuthorization({
      redirectUri: REDIRECT_URI,
      scope,
    });
    return [await browser.approve(url, shop), pending];
  }
  return {
    partnerConnect,
    store,
    /** The SDK's clock: frozen unless the SDK waits, and waiting takes no real time. */
    clock,
    /** Runs the flow up to the callback that the browser is sent to. */
    authorize,
    connect: async (shop: ShopRecord, scope?: readonly string[]) =>
      await partnerConnect.completeAuthorization(...(await authorize(shop, scope))),
    /** The calls to the token endpoints that `work` causes. */
    async tokenCalls(work: () => Promise<unknown>): Promise<readonly ProxiedCall[]> {
      const before = proxy.calls.length;
      await work();
      return proxy.calls
        .slice(before)
        .filter(({ path }) => path === TOKEN_PATH || path === BATCH_PATH);
    },
  };
}

/** A store whose disk is full while `fails` is true. */
class FailingStore extends MemoryStore {
  fails = false;

  override async get(id: string): Promise<StoredConnection | null> {
    if (this.fails) throw new Error("disk full");
    return await super.get(id);
  }

  override async put(connection: StoredConnection): Promise<void> {
    if (this.fails) throw new Error("disk full");
    await super.put(connection);
  }
}

export function failure(work: Promise<unknown>): Promise<PartnerConnectError> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );
}
