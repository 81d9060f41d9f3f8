import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture } from "../testing/merchant-fixture.ts";

let fixture: MerchantFixture;

beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());

/** The names of the fields that the browser puts the focus on. */
function focused(html: string): string[] {
  return [...html.matchAll(/<input\b[^>]*\bname="(\w+)"[^>]*\sautofocus\b/g)].map(([, name = ""]) => name);
}

describe("the sign-in form", () => {
  test("begins at the email; once that is filled in, at the password", async () => {
    const browser = fixture.browser();
    const page = await browser.open("/oauth/sign-in");
    expect(focused(page.html)).toEqual(["email"]);
    const refused = await browser.press(page, "Sign in", { email: "ada@shop.example", password: "wrong" });
    expect(refused.html).toContain('value="ada@shop.example"');
    expect(focused(refused.html)).toEqual(["password"]);
  });

  test("says on which host the merchant is, as the browser asked for it", async () => {
    const browser = fixture.browser();
    expect((await browser.open("/oauth/sign-in")).html).toContain("you are on <strong>connect.example</strong>.");
    const other = await browser.open("/oauth/sign-in", { host: "auth.connect.example:8443" });
    expect(other.html).toContain("you are on <strong>auth.connect.example:8443</strong>.");
    const marked = await browser.open("/oauth/sign-in", { host: "<b>bold" });
    expect(marked.html).not.toContain("<b>bold");
  });
});
