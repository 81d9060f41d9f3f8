import { once } from "node:events";
import { createServer } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  onboardClient,
  onboardMerchant,
  onboardShop,
  type ShopRecord,
} from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Attempt, type Partner, partner } from "../../harness/actors/partner.ts";
import { selfSigned } from "../../harness/actors/partner-site.ts";
import { ENGINES, type Engine, type Tab } from "../../harness/browser/engines.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
/** The query of each request that the partner's callbacks got. */
const arrivals: URLSearchParams[] = [];

const { certificate: cert, key } = selfSigned(["partner.localhost"]);
const site = createServer({ cert, key }, ({ url = "" }, response) => {
  const { pathname, search, searchParams } = new URL(url, origin);
  if (pathname !== "/favicon.ico") arrivals.push(searchParams);
  if (pathname === "/app")
    return response.writeHead(302, { location: `com.partner.app://connected${search}` }).end();
  return response
    .writeHead(200, { "content-type": "text/html" })
    .end("<h1>Back at the partner</h1>");
});
await once(site.listen(0), "listening");
const origin = `https://partner.localhost:${(site.address() as { port: number }).port}`;
afterAll(() => void site.close().closeAllConnections());

/** The position of the element with this text. Pressing a label chooses or focuses its field. */
const CENTER = `((text) => {
  const element = [...document.querySelectorAll("button, a, label")].find((one) => one.textContent.trim() === text);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})`;

async function press(tab: Tab, text: string, times = 1): Promise<void> {
  const at = `${CENTER}(${JSON.stringify(text)})`;
  await expect.poll(() => tab.evaluate(at)).toBeTruthy();
  const { x, y } = await tab.evaluate<{ x: number; y: number }>(at);
  await tab.click(x, y, times);
}

async function shows(tab: Tab, heading: RegExp): Promise<void> {
  const read = () => tab.evaluate<string>("document.querySelector('h1').textContent");
  await expect.poll(read).toMatch(heading);
}

const CONSENT = /^Connect /;
const BACK = /^Back at the partner$/;

describe.each(ENGINES)("in $name", ({ name, missing, launch }) => {
  const lacks = missing();
  if (lacks.length > 0) console.warn(`not run in ${name}: apt-get install ${lacks.join(" ")}`);
  const job = test.skipIf(lacks.length > 0);
  let engine: Engine;
  let app: Partner;
  let shops: readonly [ShopRecord, ShopRecord];
  let merchant: Awaited<ReturnType<typeof onboardMerchant>>;

  beforeAll(async () => {
    if (lacks.length > 0) return;
    engine = await launch();
    app = partner(
      stack,
      await onboardClient(stack, { redirectUris: [`${origin}/callback`, `${origin}/app`] }),
    );
    merchant = await onboardMerchant(stack);
    shops = [await onboardShop(stack, merchant), await onboardShop(stack, merchant)];
  });
  afterAll(() => engine?.close());

  const attempt = (path = "/callback") => app.attempt({ redirectUri: origin + path });

  async function signIn(tab: Tab): Promise<void> {
    await press(tab, "Email");
    await tab.type(merchant.email);
    await press(tab, "Password");
    await tab.type(merchant.password);
    await press(tab, "Sign in");
    await shows(tab, CONSENT);
  }

  async function decide(tab: Tab, button: "Approve" | "Decline", shop = shops[0], times = 1) {
    await press(tab, shop.name);
    await press(tab, button, times);
  }

  const arrivalsOf = ({ state }: Attempt) =>
    arrivals.filter((query) => query.get("state") === state);

  async function exchanged(made: Attempt): Promise<number> {
    const code = arrivalsOf(made).at(-1)?.get("code") ?? "";
    return (await app.exchange({ ...made, code })).status;
  }

  const statuses = async () =>
    (await operator(stack, ["connection", "list", "--client", app.client.clientId])).map(
      ({ status }: { status: string }) => status,
    );

  job(
    "a merchant can sign in, reload and approve in two tabs opened together, and Back makes no further connection",
    async () => {
      const [first, second] = [attempt(), attempt()];
      const tabs = [await engine.newTab(), await engine.newTab()] as const;
      await Promise.all([tabs[0].open(first.url), tabs[1].open(second.url)]);
      for (const [tab, made, shop] of [
        [tabs[1], second, shops[1]],
        [tabs[0], first, shops[0]],
      ] as const) {
        await signIn(tab);
        await tab.reload();
        await shows(tab, CONSENT);
        await decide(tab, "Approve", shop);
        await shows(tab, BACK);
        expect(await exchanged(made)).toBe(200);
      }
      const [tab] = tabs;
      await tab.back();
      await shows(tab, /^(?:Connect .*|Already connected)$/);
      // WebKit shows the page that was left. The same approval again leads back with the same code.
      if (await tab.evaluate("document.querySelector('h1').textContent.startsWith('Connect ')")) {
        await decide(tab, "Approve");
        await shows(tab, BACK);
        expect(new Set(arrivalsOf(first).map((query) => query.get("code"))).size).toBe(1);
      }
      expect(await statuses()).toEqual(["connected", "connected"]);
    },
  );

  job("a merchant who declines is sent back with access_denied", async () => {
    const tab = await engine.newTab();
    const made = attempt();
    await tab.open(made.url);
    await decide(tab, "Decline");
    await shows(tab, BACK);
    expect(arrivalsOf(made).map((query) => query.get("error"))).toEqual(["access_denied"]);
  });

  job("a merchant who double-clicks Approve is connected once", async () => {
    const tab = await engine.newTab();
    const made = attempt();
    await tab.open(made.url);
    await decide(tab, "Approve", shops[0], 2);
    await shows(tab, BACK);
    expect(new Set(arrivalsOf(made).map((query) => query.get("code"))).size).toBe(1);
    expect(await exchanged(made)).toBe(200);
    expect(await statuses()).toEqual(["connected", "connected"]);
  });

  job.each(["Approve", "Decline"] as const)(
    "after '%s', the pages' Content-Security-Policy lets the callback redirect to an app",
    async (button) => {
      const tab = await engine.newTab();
      const made = attempt("/app");
      await tab.open(made.url);
      await shows(tab, CONSENT);
      await tab.evaluate(
        "void (globalThis.refused = [], addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused.push(violatedDirective)))",
      );
      await decide(tab, button);
      await expect.poll(() => arrivalsOf(made).length).toBe(1);
      if (button === "Approve") expect(await exchanged(made)).toBe(200);
      // Chromium and WebKit refuse this redirect to a page that has a form-action; Firefox does
      // not. An app's scheme leaves no URL to wait for. Once another response arrives, the browser
      // has handled the redirect.
      const refused = `new Promise((resolve) => {
      const image = new Image();
      image.onload = image.onerror = () => resolve(globalThis.refused ?? []);
      image.src = "/oauth/none";
    })`;
      expect(await tab.evaluate(refused)).toEqual([]);
    },
  );

  job("a merchant who confirms Disconnect ends the connection", async () => {
    const tab = await engine.newTab();
    await tab.open(`${stack.base_url}/oauth/connections`);
    await press(tab, "Disconnect");
    await shows(tab, /^Disconnect /);
    await press(tab, "Disconnect");
    await shows(tab, /^Apps connected to your shops$/);
    expect((await statuses()).toSorted()).toEqual(["connected", "revoked"]);
  });
});
