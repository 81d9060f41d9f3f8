import { connectDatabase } from "@partner-connect/database";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { commitOf, startFormerRelease } from "../../harness/stack/former-release.ts";
import { runStores, startOwnStack } from "../../harness/stack/stacks.ts";
import { recipe, runShell } from "../recipe.ts";
import { reportRow } from "../row.ts";

/** A release that doesn't know that a merchant can be disabled. */
const commit = await commitOf("0.1.0");

test.skipIf(commit === null)(
  "going back to 0.1.0, which knows no disabled merchants, by the page's steps: none gets in, and nothing is lost",
  async () => {
    const stores = await runStores();
    const { DATABASE_URL = "", REDIS_URL } = stores.env;
    const [close, endSessions, open] = await recipe("release.md", "Going back");
    const sql = connectDatabase(DATABASE_URL, { name: "owner", connections: 1 });
    const redis = new Redis(REDIS_URL);

    const first = await startOwnStack({ env: stores.env });
    const { client, merchant, shop, advancedShop } = await onboard(first.now);
    const disabled = await onboardMerchant(first.now);
    await onboardShop(first.now, disabled);
    const before = await partner(first.now, client).connect(merchantBrowser(merchant), shop);
    await merchantBrowser(disabled).openConsent(partner(first.now, client).attempt().url);
    await operator(first.now, ["merchant", "disable", disabled.email, "--yes"]);
    await first.stop();

    const former = await startFormerRelease(commit ?? "", stores.env);
    const ofFormer = partner(former.now, client);
    /** Whether the merchant comes past the sign-in form of the former release. */
    const getsIn = async (account: typeof merchant) => {
      const { forms } = await merchantBrowser(account).openConsent(ofFormer.attempt().url);
      return !forms.some(({ buttons }) => buttons.some(({ text }) => text === "Sign in"));
    };
    const withoutSteps = await getsIn(disabled);
    await sql.unsafe(close?.text ?? "");
    await runShell(endSessions ?? expect.fail(), { REDIS_URL });
    const sessions = await redis.keys("merchant_session:*");
    const withSteps = [await getsIn(disabled), await getsIn(merchant)];
    const kept = (await ofFormer.refresh(before.refreshToken)).status;
    const meanwhile = await ofFormer.connect(merchantBrowser(merchant), advancedShop);
    await former.stop();

    await sql.unsafe(open?.text ?? "");
    const again = await startOwnStack({ env: stores.env });
    const app = partner(again.now, client);
    const refreshed = [await app.refresh(before.refreshToken), await app.refresh(meanwhile.refreshToken)];
    await expect(merchantBrowser(disabled).approve(app.attempt().url, shop)).rejects.toThrow();
    await operator(again.now, ["merchant", "enable", disabled.email]);
    const { text } = await merchantBrowser(disabled).openConsent(app.attempt().url);
    await again.stop();
    await Promise.all([sql.end(), redis.quit()]);
    await stores.drop();

    const statuses = [kept, ...refreshed.map(({ status }) => status)];
    reportRow({
      scenario: "going back to 0.1.0 by release.md, and forward again",
      requests: statuses.length,
      failed: statuses.filter((status) => status !== 200).length,
      lost: 0,
      wrong: withSteps[0] ? 1 : 0,
      note: `a disabled merchant gets in: ${withoutSteps ? "yes" : "no"} without the steps, ${withSteps[0] ? "yes" : "no"} with them`,
    });
    expect(withoutSteps).toBe(true);
    expect(withSteps).toEqual([false, true]);
    expect(sessions).toEqual([]);
    expect(statuses).toEqual([200, 200, 200]);
    expect(text).toContain("Approve");
  },
  240_000,
);
