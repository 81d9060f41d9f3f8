import { expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
const ada = await fixture.registerMerchant();
const fern = await fixture.registerShop("Fern & Field", "advanced_attribution", ada);

function expectEnded(page: Page): void {
  expect([page.status, page.location]).toEqual([404, null]);
  expect(page.html).toMatch(/This request has ended|Cookies are blocked/);
}

const approve = (browser: MerchantBrowser, page: Page) =>
  browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });

/** Every step that is possible with an authorization's URL and its pages' forms. */
async function everyStep(browser: MerchantBrowser, path: string, page: Page): Promise<Page[]> {
  const at = (part: string) => path.replace("?", `/${part}?`);
  const [form = expect.fail()] = page.forms;
  const signIn = { ...page, forms: [{ ...form, action: at("sign-in") }] };
  return [
    await browser.open(path),
    await approve(browser, page),
    await browser.press(page, "Decline"),
    await browser.press(page, "Use another account"),
    await browser.press(signIn, "Approve", { email: ada.email, password: "x" }),
  ];
}

test("every step of an authorization gets 404 in another browser, even if the same merchant is signed in there", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  const { path, page } = await fixture.consent(fixture.browser(), ada, { clientId });
  const stranger = fixture.browser();
  const owner = fixture.browser();
  await fixture.consent(owner, ada);
  for (const other of [stranger, owner])
    for (const step of await everyStep(other, path, page)) expectEnded(step);
  expect(await fixture.connectionOf(fern, clientId)).toBeUndefined();
});

test("an authorization gives another browser no code, even if a sibling host plants cookies in the merchant's browser", async () => {
  const client = await fixture.replicas.registerClient();
  const attacker = fixture.browser();
  const merchant = fixture.browser();
  const path = await fixture.begin(attacker, { clientId: client.clientId });
  // The attacker's cookies under names that another host can set, so without `__Host-`.
  for (const [name, value] of attacker.cookies) {
    merchant.cookies.set(name.replace("__Host-", ""), value);
    merchant.cookies.set(name.replace("__Host-", "__Secure-"), value);
  }
  expectEnded(await merchant.open(path));
  const { page, path: own } = await fixture.consent(merchant, ada, { clientId: client.clientId });
  for (const step of await everyStep(attacker, own, page)) expectEnded(step);
  expect(await fixture.connectionOf(fern, client.clientId)).toBeUndefined();
});

test("an approved authorization leaves only one cookie besides the cookies of the browser and the sign-in", async () => {
  const browser = fixture.browser();
  const { page } = await fixture.consent(browser, ada);
  await approve(browser, page);
  expect([...browser.cookies.keys()].sort()).toEqual([
    expect.stringMatching(/^__Host-merchant_authorization_\w+$/),
    "__Host-merchant_browser",
    "__Host-merchant_device",
    "__Host-merchant_email",
    "__Host-merchant_session",
  ]);
});

test("two authorizations that a new browser begins concurrently can both be approved", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  const browser = fixture.browser();
  const states = ["one", "two"];
  const paths = await Promise.all(
    states.map((state) => fixture.begin(browser, { clientId, state })),
  );
  const signIns = await Promise.all(paths.map((path) => browser.open(path)));
  for (const page of signIns) expect((await fixture.signIn(browser, page, ada)).status).toBe(303);
  for (const [index, path] of paths.entries()) {
    const page = await browser.open(path);
    const { location } = await approve(browser, page);
    expect(new URL(location ?? "").searchParams.get("state")).toBe(states[index]);
  }
});

test("a browser stores at most eight authorization cookies, each valid only for the authorization that its name contains", async () => {
  const browser = fixture.browser();
  const path = await fixture.begin(browser);
  const [name = "", secret = ""] =
    [...browser.cookies].find(([name]) => name.includes("authorization")) ?? [];
  for (let n = 0; n < 20; n++) browser.cookies.set(`${name.slice(0, -2)}${n + 10}`, secret);
  browser.cookies.delete(name);
  expectEnded(await browser.open(path));
  for (let begun = 0; begun < 3; begun++) await fixture.begin(browser);
  expect([...browser.cookies.keys()].filter((name) => name.includes("authorization"))).toHaveLength(
    8,
  );
});

test("an authorization ends if the same browser begins eight newer authorizations", async () => {
  const browser = fixture.browser();
  const paths: string[] = [];
  for (let begun = 0; begun < 9; begun++) paths.push(await fixture.begin(browser));
  const statuses = await Promise.all(paths.map(async (path) => (await browser.open(path)).status));
  expect(statuses).toEqual([404, ...Array(8).fill(200)]);
});
