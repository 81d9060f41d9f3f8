import { beforeAll, describe, expect, test } from "vitest";
import { suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
let ada: TestMerchant;

beforeAll(async () => {
  ada = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "advanced_attribution", ada);
  await fixture.registerShop("Blue Cup", "standard", ada);
});

describe("every page", () => {
  test("is kept by nobody, framed by nobody, and runs nothing", async () => {
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const pages = [
      page,
      await browser.open("/oauth/connections"),
      await fixture.browser().open("/oauth/sign-in"),
      await browser.open("/oauth/authorization?request=none"),
      await browser.open("/oauth/api/authorize?client_id=none"),
    ];
    for (const { headers } of pages) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; style-src 'self'; img-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
      expect(policy).not.toContain("unsafe");
    }
  });

  test("only the pages whose form leads to the partner have no form-action", async () => {
    const browser = fixture.browser();
    const signIn = await browser.open(await fixture.begin(browser));
    expect(signIn.headers["content-security-policy"]).toContain("form-action 'self';");
    const { page, path } = await fixture.consent(browser, ada);
    expect(page.headers["content-security-policy"]).not.toContain("form-action");
    const { headers } = await browser.open(path.replace("?", "/decline?"));
    expect(headers["content-security-policy"]).not.toContain("form-action");
  });

  test("shows names with markup as they are written", async () => {
    const merchant = await fixture.registerMerchant();
    await fixture.registerShop(`<img src=x onerror="alert(1)"> & 'Söhne' \u202egnirts`, "standard", merchant);
    const { page } = await fixture.consent(fixture.browser(), merchant);
    expect(page.html).not.toContain("<img src=x");
    expect(page.forms[0]?.radios[0]?.label).toBe(`<img src=x onerror="alert(1)"> & 'Söhne' gnirts`);
  });
});
