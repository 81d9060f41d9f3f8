import type { MerchantFixture } from "./merchant-fixture.ts";

export type PartnerFixture = Awaited<ReturnType<typeof partnerFixture>>;

/** A new client with a signed-in member who has no shop. */
export async function partnerFixture(fixture: MerchantFixture) {
  const client = await fixture.replicas.registerClient();
  /** Adds a member of the client, who is signed in. */
  const join = async () => {
    const merchant = await fixture.registerMerchant();
    await fixture.replicas.sql`
      INSERT INTO directory.client_members (client_id, merchant_id) VALUES (${client.clientId}, ${merchant.id})`;
    return { ...merchant, browser: await fixture.signedIn(merchant) };
  };
  const person = await join();
  /** The path of a section of the client's pages. Default: the overview. */
  const path = (section = "") => `/partner/${client.clientId}${section && `/${section}`}`;
  const open = (section?: string) => person.browser.open(path(section));
  return { client, person, path, open, join };
}
