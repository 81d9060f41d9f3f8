import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Cookie, Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { onboard, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { SAMPLE_REDIRECT_URI, startSamplePartner } from "../../harness/actors/sample-partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { approve, signIn } from "../../harness/browser/merchant-page.ts";
import { barriers, overflow, setTextSize } from "../../harness/browser/reader.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { visit } from "../merchant-pages/readable.ts";

const CONNECT = /^Connect (your|another) shop$/;
const MARKUP = `<script>alert("x")</script> & 'more'`;

const stack = mainStack();
let signedIn: Cookie[] | undefined;

const [browser, world, records] = await Promise.all([
  launchChromium(),
  onboard(stack, { redirectUris: [SAMPLE_REDIRECT_URI] }),
  generateResponses(300, "sample"),
]);
/** Shared, because another context, or one whose last page is closed, starts a process. */
const context = await browser.newContext({ locale: "en" });
await context.newPage();
const [newest] = records.toSorted((one, other) => other.inserted_at.localeCompare(one.inserted_at));
const marked = records.map((record) =>
  record === newest ? { ...record, other_response: MARKUP } : record,
);
const [sample] = await Promise.all([
  startSamplePartner(stack, world.client),
  importRecords(stack, "response", world.advancedShop, marked),
  importRecords(stack, "response", world.shop, records.slice(0, 30)),
]);
afterAll(async () => {
  await browser.close();
  await sample.stop();
});

/** A new browser for the sample app, signed in at Partner Connect except for the first one. */
const inBrowser = (walk: (page: Page) => Promise<void>) =>
  visit(
    context,
    async () => void (signedIn && (await context.addCookies(signedIn))),
    async ({ page, complaints }) => {
      await walk(page);
      expect(complaints).toEqual([]);
    },
  );

/** Waits until the page has loaded completely. A click waits only for its beginning. */
async function arrives(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.waitForLoadState();
}

/** Opens the consent page. */
async function begin(page: Page): Promise<void> {
  await page.goto(sample.url);
  await page.getByRole("button", { name: CONNECT }).click();
  if (signedIn) return;
  await signIn(page, world.merchant);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  signedIn = (await context.cookies()).filter(({ name }) => !name.startsWith("sample_partner_"));
}

async function connect(page: Page, shop = world.advancedShop): Promise<void> {
  await begin(page);
  await approve(page, shop);
  await arrives(page, shop.name);
}

async function lookUntil(shown: Locator): Promise<void> {
  const page = shown.page();
  for (const end = Date.now() + 20_000; (await shown.count()) === 0; await page.reload()) {
    if (Date.now() > end)
      throw new Error(`not shown in time: ${await page.locator("main").textContent()}`);
  }
}

async function connectionOf(shop: ShopRecord): Promise<{ id: string }> {
  const [connection] = await operator(stack, ["connection list --shop", shop.id]);
  return connection;
}

/** Each colour scheme with each text size, and with the widest and the narrowest window. */
const LOOKS = [
  { colorScheme: "light", width: 1280, textSize: 16 },
  { colorScheme: "dark", width: 320, textSize: 16 },
  { colorScheme: "light", width: 320, textSize: 32 },
  { colorScheme: "dark", width: 1280, textSize: 32 },
] as const;

test("the sample partner app explains a connection to merchants, and confirms a declined connection", async () => {
  await inBrowser(async (page) => {
    await page.goto(sample.url);
    expect(await page.getByRole("list").first().textContent()).toContain(
      "We never see your password",
    );
    await begin(page);
    await page.getByRole("button", { name: "Decline", exact: true }).click();
    await arrives(page, "You didn’t connect a shop");
    await page.getByRole("button", { name: "Connect a shop" }).click();
    await arrives(page, /^Connect App /);
  });
});

test("the sample partner app shows the newest responses of a connected shop, with markup escaped, and a chart of channels", async () => {
  await inBrowser(async (page) => {
    await connect(page);
    const rows = page.locator("table.responses tbody tr");
    // The page waits for the first copy, for three seconds.
    await lookUntil(page.getByText("300 responses in our copy"));
    expect(await rows.count()).toBe(25);
    expect(await rows.first().textContent()).toContain(MARKUP);
    const asked = records.filter(({ question_id, response }) => question_id === 1001 && response);
    const numbers = await page.locator("table.chart td:nth-child(2)").allTextContents();
    expect(numbers.reduce((sum, number) => sum + Number(number), 0)).toBe(asked.length);
  });
});

test("disconnecting in the sample app revokes the connection, deletes its tokens and copy, and logs no secret", async () => {
  await inBrowser(async (page) => {
    await connect(page, world.shop);
    const { id } = await connectionOf(world.shop);
    await page.getByText(`Disconnect ${world.shop.name}`).click();
    await page.getByRole("button", { name: "Disconnect and delete" }).click();
    await arrives(page, `${world.shop.name} is disconnected`);
    expect(await connectionOf(world.shop)).toMatchObject({ id, status: "revoked" });
    const copy = new DatabaseSync(join(sample.dataDir, "shops.sqlite"), { readOnly: true });
    const tokens = new DatabaseSync(join(sample.dataDir, "connections.sqlite"), {
      readOnly: true,
    });
    expect(copy.prepare("SELECT 1 FROM responses WHERE connection_id = ?").all(id)).toEqual([]);
    expect(
      tokens.prepare("SELECT 1 FROM partner_connect_connections WHERE id = ?").all(id),
    ).toEqual([]);
    copy.close();
    tokens.close();
    expect((await page.goto(`${sample.url}/shops/${id}`))?.status()).toBe(404);
    await expect.poll(() => sample.output()).toContain("a connection has ended");
    expect(sample.output()).not.toContain(world.client.secret);
    expect(sample.output()).not.toMatch(/code=|state=|Bearer|refreshToken|eyJ/);
  });
});

test("the sample app's pages are readable in light and dark, at 320 and 1280 pixels, and with doubled text", async () => {
  await inBrowser(async (page) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await connect(page);
    const shop = page.url();
    for (const url of [shop, `${sample.url}/`, `${sample.url}/callback`]) {
      await page.goto(url);
      expect(await page.locator("script, style, [style], [onclick], iframe, object").count()).toBe(
        0,
      );
      if (url === shop) await page.locator("summary").click();
      for (const look of LOOKS) {
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await setTextSize(page, look.textSize);
        await page.setViewportSize({ width: look.width, height: 800 });
        const seen = { barriers: await barriers(page), ...(await overflow(page)) };
        expect({ url, look, ...seen }).toEqual({ url, look, barriers: [], window: 0, texts: [] });
      }
      await setTextSize(page, 16);
    }
  });
});
