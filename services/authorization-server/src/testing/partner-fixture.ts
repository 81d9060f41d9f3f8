import type { RegisteredClient } from "@partner-connect/directory/testing";
import type { MerchantBrowser, Page } from "./merchant-browser.ts";
import type { MerchantFixture, TestMerchant } from "./merchant-fixture.ts";

export interface PartnerPerson extends TestMerchant {
  /** Signed in. */
  readonly browser: MerchantBrowser;
}

export interface PartnerFixture {
  readonly client: RegisteredClient;
  /** Somebody who belongs to the client. */
  readonly person: PartnerPerson;
  /** A path of the client's pages: of a section, with what follows. Default: the overview. */
  path(section?: string): string;
  /** A page of the client, as that person opens it. */
  open(section?: string): Promise<Page>;
  /** One more person of the client. */
  join(): Promise<PartnerPerson>;
}

/** A new client with a signed-in member who has no shop. */
export async function partnerFixture(fixture: MerchantFixture, client?: RegisteredClient): Promise<PartnerFixture> {
  const own = client ?? (await fixture.replicas.registerClient());
  const join = async () => {
    const merchant = await fixture.registerMerchant();
    await fixture.replicas.sql`
      INSERT INTO directory.client_members (client_id, merchant_id) VALUES (${own.clientId}, ${merchant.id})`;
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
    return { ...merchant, browser };
  };
  const person = await join();
  const path = (section = "") => `/partner/${own.clientId}${section && `/${section}`}`;
  return { client: own, person, path, open: (section) => person.browser.open(path(section)), join };
}
