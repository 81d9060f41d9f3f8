import type { MerchantBrowser } from "../../testing/merchant-browser.ts";
import type { MerchantFixture, TestMerchant } from "../../testing/merchant-fixture.ts";

export interface Person extends TestMerchant {
  /** Signed in. */
  readonly browser: MerchantBrowser;
}

export interface ShopWithPeople {
  readonly shopId: string;
  /** Of the page of its members. */
  readonly path: string;
  readonly owner: Person;
  readonly member: Person;
  /** Owns another shop. */
  readonly stranger: Person;
}

/** The shop 'Fern & Field' with its owner and a member, and the owner of another shop. */
export async function shopWithPeople(fixture: MerchantFixture): Promise<ShopWithPeople> {
  const [owner, member, stranger] = [await person(fixture), await person(fixture), await person(fixture)];
  const shopId = await fixture.registerShop("Fern & Field", "standard", owner, member);
  await fixture.replicas.sql`
    UPDATE directory.memberships SET role = 'member' WHERE shop_id = ${shopId} AND merchant_id = ${member.id}`;
  await fixture.registerShop("Blue Cup", "standard", stranger);
  return { shopId, path: `/oauth/connections/${shopId}/members`, owner, member, stranger };
}

export async function person(fixture: MerchantFixture): Promise<Person> {
  const merchant = await fixture.registerMerchant();
  const browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), merchant);
  return { ...merchant, browser };
}

/** The link that an owner is shown when she invites this address: its path. */
export async function invite(
  { owner, path }: Pick<ShopWithPeople, "owner" | "path">,
  email: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const form = await owner.browser.open(path);
  const made = await owner.browser.press(form, "Make an invitation link", { email, ...fields });
  const page = await owner.browser.open(made.location ?? "");
  const link = /<code>https:\/\/connect\.example([^<]*)<\/code>/.exec(page.html)?.[1];
  if (link === undefined) throw new Error(`no link (${page.status}):\n${page.html}`);
  return link;
}
