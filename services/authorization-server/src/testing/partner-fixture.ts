import type { RegisteredClient } from "@partner-connect/directory/testing";
import type { MerchantBrowser, Page } from "./merchant-browser.ts";
import type { MerchantFixture, TestMerchant } from "./merchant-fixture.ts";

export interface PartnerPerson extends TestMerchant {
  /** Signed in. */
  readonly browser: MerchantBrowser;
}

export interface PartnerFixture {
  readonly client: RegisteredClient;
  /** An owner of the client. */
  readonly owner: PartnerPerson;
  /** A path of the client's pages: of a section, with what follows. Default: the overview. */
  path(section?: string): string;
  /** A page of the client, as the owner opens it. */
  open(section?: string): Promise<Page>;
  /** One more person of the client. */
  join(role: "owner" | "member"): Promise<PartnerPerson>;
}

/** A client of its own with an owner, who is signed in and has no shop. */
export async function partnerFixture(fixture: MerchantFixture, client?: RegisteredClient): Promise<PartnerFixture> {
  const own = client ?? (await fixture.replicas.registerClient());
  const join = async (role: "owner" | "member") => {
    const merchant = await fixture.registerMerchant();
    await fixture.replicas.sql`
      INSERT INTO directory.client_members (client_id, merchant_id, role) VALUES (${own.clientId}, ${merchant.id}, ${role})`;
    const browser = fixture.browser();
    await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
    return { ...merchant, browser };
  };
  const owner = await join("owner");
  const path = (section = "") => `/partner/${own.clientId}${section && `/${section}`}`;
  return { client: own, owner, path, open: (section) => owner.browser.open(path(section)), join };
}
