import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { testPasskey } from "../testing/authenticator.ts";
import { mailsTo } from "../testing/mails.ts";
import { expectPage } from "../testing/merchant-browser.ts";
import { suiteFixture, type TestMerchant, testFixture } from "../testing/merchant-fixture.ts";
import {
  addPasskey,
  merchantWithPasskey,
  optionsOf,
  PASSKEYS,
  signInAt,
} from "../testing/passkey-walks.ts";

const fixture = await suiteFixture({ replicas: 2 });
const { sql } = fixture.replicas;

const rowsOf = async ({ id }: { readonly id: string }) =>
  await sql`SELECT name FROM directory.passkeys WHERE merchant_id = ${id} ORDER BY created_at, id`;
const mailsOf = async (merchant: TestMerchant) =>
  (await mailsTo(fixture, merchant))
    .filter(({ kind }) => kind === "second_factor_changed")
    .map(({ about }) => about["change"]);

async function signedIn() {
  const merchant = await fixture.registerMerchant();
  return { merchant, browser: await fixture.signedIn(merchant) };
}

test("adding the first passkey ends all other sessions and sends a mail", async () => {
  const { merchant, browser } = await signedIn();
  const elsewhere = await fixture.signedIn(merchant);
  await addPasskey(browser);
  expect((await elsewhere.open("/oauth/connections")).location).toMatch(/^\/oauth\/sign-in/);
  const page = await browser.open(`${PASSKEYS}?done=added`);
  expect(page.html).toContain("Passkey added.");
  expect(await mailsOf(merchant)).toEqual(["passkey_added"]);
});

test("after a merchant has removed all passkeys, the password is enough to sign in", async () => {
  const { merchant, browser } = await merchantWithPasskey(fixture);
  await addPasskey(browser);
  let page = await browser.open(PASSKEYS);
  expect((await rowsOf(merchant)).at(-1)).toEqual({ name: "My passkey 2" });
  for (const left of [1, 0]) {
    page = await browser.arrive(await browser.press(page, "Remove passkey"));
    expect(page.html).toContain("Passkey removed.");
    expect(await rowsOf(merchant)).toHaveLength(left);
  }
  expect(await mailsOf(merchant)).toEqual(
    "passkey_added passkey_added passkey_removed passkey_removed".split(" "),
  );
  const later = await signInAt(fixture, fixture.browser(), merchant, "/oauth/sign-in");
  expect(later.html).toContain("Apps connected to your shops</h1>");
});

test("adding or removing a passkey requires a confirmation that is less than ten minutes old", async () => {
  const { merchant, browser } = await merchantWithPasskey(fixture);
  const page = await browser.open(PASSKEYS);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
  const removal = await browser.press(page, "Remove passkey");
  expect(removal.location).toMatch(/^\/oauth\/account\/confirm\?return=/);
  const proof = await browser.open(removal.location ?? "");
  expect(proof.html).toContain('<a href="/help#lost-passkey">Can’t use your passkey?</a>');
  const credential = testPasskey().make(optionsOf(page));
  const answer = await browser.press(page, "Add a passkey", { credential });
  expect(answer.location).toMatch(/^\/oauth\/account\/confirm\?return=/);
  expect((await rowsOf(merchant)).map(({ name }) => name)).toEqual(["My passkey"]);
});

test("a passkey made on the configured auth hostname is accepted, and /.well-known/webauthn lists that origin", async () => {
  const own = await fixture.browser().open("/.well-known/webauthn");
  expect(JSON.parse(own.html)).toEqual({ origins: ["https://connect.example"] });
  const two = await testFixture({ env: { AUTH_PUBLIC_URL: "https://auth.example/" } });
  const { html, headers } = await two.browser().open("/.well-known/webauthn");
  expect([JSON.parse(html), headers["content-type"]]).toEqual([
    { origins: ["https://connect.example", "https://auth.example"] },
    expect.stringMatching(/^application\/json/),
  ]);
  const browser = await two.signedIn(await two.registerMerchant());
  const page = await browser.open(PASSKEYS);
  const credential = testPasskey().make(optionsOf(page), { origin: "https://auth.example" });
  const added = await browser.press(page, "Add a passkey", { credential });
  expect(added.location).toBe(`${PASSKEYS}?done=added`);
});

test("a passkey can be removed only by its owner, from a form that the same session opened", async () => {
  const { merchant, browser } = await merchantWithPasskey(fixture);
  const { browser: other } = await merchantWithPasskey(fixture);
  const page = await browser.open(PASSKEYS);
  const foreign = await other.press(page, "Remove passkey");
  expectPage(foreign, 403, "Nothing was changed");
  const theirs = await other.open(PASSKEYS);
  const form = page.forms.find(({ action }) => action.endsWith("/remove"));
  const stolen = await other.press(theirs, "Remove passkey", {
    passkey: form?.fields["passkey"] ?? "",
  });
  expectPage(stolen, 409, "This page was out of date.");
  expect((await fixture.browser().press(page, "Remove passkey")).location).toMatch(
    /^\/oauth\/sign-in\?return=/,
  );
  expect(await rowsOf(merchant)).toHaveLength(1);
});

test("a passkey registration that is malformed, forged, repeated or made for another merchant's challenge is refused", async () => {
  const { merchant, browser } = await signedIn();
  const passkey = testPasskey();
  const attempt = async (credential: (options: { challenge: string }) => string, name = "Key") => {
    const page = await browser.open(PASSKEYS);
    return await browser.press(page, "Add a passkey", {
      credential: credential(optionsOf(page)),
      name,
    });
  };
  const malformed = '{"id":1,"response":{"clientDataJSON":"e30"}}';
  for (const credential of ["", "{}", "null", "[]", "x".repeat(9000), malformed]) {
    const refused = await attempt(() => credential);
    expectPage(refused, 403, "This page was out of date");
  }
  for (const signing of [
    { origin: "https://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.get" },
  ]) {
    const refused = await attempt((options) => passkey.make(options, signing));
    expectPage(refused, 422, "couldn’t be verified");
  }
  const nameless = await attempt((options) => passkey.make(options), "\u202e");
  expectPage(nameless, 422, "Enter a name");
  expect(await rowsOf(merchant)).toEqual([]);
  const other = await signedIn();
  const theirs = optionsOf(await other.browser.open(PASSKEYS));
  expect((await attempt(() => passkey.make(theirs))).status).toBe(403);
  const page = await browser.open(PASSKEYS);
  const credential = passkey.make(optionsOf(page));
  const added = await browser.press(page, "Add a passkey", { credential });
  expect(added.location).toBe(`${PASSKEYS}?done=added`);
  // A second submission is refused, because the session that the form belongs to has ended.
  expect((await browser.press(page, "Add a passkey", { credential })).status).toBe(403);
  expect(await rowsOf(merchant)).toHaveLength(1);
});

test("a passkey attestation with certificates is refused, and their CRLs are not fetched", async () => {
  const requests: unknown[] = [];
  const server = createServer((request, response) =>
    response.end(String(requests.push(request.url))),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { browser } = await signedIn();
  const page = await browser.open(PASSKEYS);
  const crl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/crl`;
  const credential = testPasskey().make(optionsOf(page), { crl });
  const refused = await browser.press(page, "Add a passkey", { credential });
  expectPage(refused, 422, "couldn’t be verified");
  expect(requests).toEqual([]);
});

test("a new passkey is stored without a transport that contains a NUL", async () => {
  const { merchant, browser } = await signedIn();
  const passkey = testPasskey();
  const make: typeof passkey.make = (options) =>
    passkey.make(options).replace('"internal"', String.raw`"usb", "\u0000"`);
  await addPasskey(browser, { ...passkey, make });
  const stored = await sql`
    SELECT transports FROM directory.passkeys WHERE merchant_id = ${merchant.id}`;
  expect(stored).toEqual([{ transports: ["usb"] }]);
});
