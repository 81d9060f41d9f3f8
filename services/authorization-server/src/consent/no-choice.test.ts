import { describe, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();

const BACK = "Back to Lookout";

describe("when nothing can be granted", () => {
  test("a page of its own says why, once for all shops, and leads back to the app with access_denied", async () => {
    const merchant = await fixture.registerMerchant();
    for (const name of ["Cup 10", "Cup 2", "Cup 3", "Cup 4", "Cup 5", "Cup 6", "Cup 7"]) {
      await fixture.registerShop(name, "standard", merchant);
    }
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, merchant, { scope: ["sources:write"] });
    expect(page.html).toContain("<bdi>Lookout</bdi> can’t be connected</h1>");
    expect(page.html.match(/to these shops on their current plans/g)).toHaveLength(1);
    expect(page.html).toMatch(/Cup 2<.*Cup 3<.*Cup 6<.*and 2 more/s);
    expect(page.forms[0]?.radios).toEqual([]);
    expect(page.forms[0]?.buttons.map(({ text }) => text)).toEqual([BACK]);
    const target = await browser.follow(await browser.press(page, BACK));
    expect(target.searchParams.get("error")).toBe("access_denied");
  });

  test("the plan is not blamed if the app itself lost what it asked for", async () => {
    const { clientId } = await fixture.replicas.registerClient();
    const merchant = await fixture.registerMerchant();
    await fixture.registerShop("Rich", "advanced_attribution", merchant);
    const browser = fixture.browser();
    const { path } = await fixture.consent(browser, merchant, { clientId, scope: ["sources:write"] });
    await fixture.replicas.sql`UPDATE directory.clients SET scope = '{responses:read}' WHERE client_id = ${clientId}`;
    await expect
      .poll(async () => (await browser.open(path)).html)
      .toContain("The app may no longer ask for this access.");
    expect((await browser.open(path)).html).not.toContain("plan");
  });
});
