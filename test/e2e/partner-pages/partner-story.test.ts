import { randomUUID } from "node:crypto";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { launchChromium } from "../../harness/browser/chromium.ts";
import { signIn } from "../../harness/browser/merchant-page.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

const NIA = { email: "nia@lookout.example", password: "quinces ripen in late october" };

let stack: OwnStack;
let people: Onboarded;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const env = {
    AUTHORIZATION_SERVER_REPLICAS: "2",
    RESOURCE_SERVER_REPLICAS: "1",
    WORKER_REPLICAS: "1",
  };
  [stack, browser] = await Promise.all([startOwnStack({ env }), launchChromium()]);
  people = await onboard(stack.now);
  page = await browser.newPage({ locale: "en" });
});
afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

/** The next page must have loaded before anything is done with it. */
const click = (part: Locator) => Promise.all([page.waitForEvent("load"), part.click()]);
const follow = (name: string) => click(page.getByRole("link", { name, exact: true }));
const press = (name: string) => click(page.getByRole("button", { name, exact: true }));

test("on the partner pages, a developer finds the cause of a failed call and changes the secret under load without a failure", async () => {
  const { client, merchant, shop } = people;
  const app = partner(stack.now, client);
  const { accessToken, refreshToken } = await app.connect(merchantBrowser(merchant), shop, {
    scope: "responses:read",
  });

  // The operator adds the developer to the client, and the developer signs in.
  const account = ["--email", NIA.email, "--password", NIA.password, "--name", "Nia"];
  await operator(stack.now, ["merchant", "create", ...account]);
  await operator(stack.now, ["partner", "add", "--client", client.clientId, "--email", NIA.email]);
  await page.goto(`${stack.now.base_url}/partner`);
  await signIn(page, NIA);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("How your app is doing");

  // A call of the app fails; the page shows the cause by the response's request id.
  const refused = await app.call("/api/sources", accessToken, {
    name: "Radio",
    external_id: randomUUID(),
  });
  expect(refused.status).toBe(403);
  await follow("Errors");
  const find = async () => {
    await page.getByLabel("x-request-id").fill(String(refused.headers["x-request-id"]));
    await press("Search");
    return await page.locator("main").textContent();
  };
  await expect.poll(find, { timeout: 20_000, interval: 500 }).toContain("insufficient_scope");
  const cause = page.getByText("The approval or plan doesn’t include this scope");
  expect(await cause.isVisible()).toBe(true);

  // The secret is rotated under load: each server switches in its own time.
  let secret = client.secret;
  let isOver = false;
  const statuses: number[] = [];
  const server = async () => {
    while (!isOver)
      statuses.push((await partner(stack.now, { ...client, secret }).refresh(refreshToken)).status);
  };
  const load = [server(), server(), server(), server()];
  await follow("Settings");
  await press("Add a second secret");
  secret = (await page.locator(".copied code").textContent()) ?? "";
  const before = statuses.length;
  await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThan(before + 20);
  await follow("Done, I’ve saved it");
  await follow("Revoke old secret");
  await press("Revoke old secret");
  const ended = statuses.length;
  await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThan(ended + 20);
  isOver = true;
  await Promise.all(load);
  expect(new Set(statuses)).toEqual(new Set([200]));
  // A server may cache the client for half a second.
  await expect.poll(async () => (await app.refresh(refreshToken)).status).toBe(401);
}, 120_000);
