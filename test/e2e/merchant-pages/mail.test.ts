import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

const NEW = "quinces ripen in late october";

let stack: OwnStack;
let people: Onboarded;
let app: Partner;

beforeAll(async () => {
  const replicas = { AUTHORIZATION_SERVER_REPLICAS: "2", RESOURCE_SERVER_REPLICAS: "1", WORKER_REPLICAS: "1" };
  stack = await startOwnStack({ env: replicas });
  people = await onboard(stack.now);
  app = partner(stack.now, people.client);
});
afterAll(() => stack?.stop());

interface Mail {
  readonly to: string;
  readonly text: string;
}

/** The stack's mails to this address, newest first. */
async function mailsTo(address: string): Promise<readonly Mail[]> {
  const mails = (await (await fetch(`${stack.now.base_url}/mail.json`)).json()) as Mail[];
  return mails.filter(({ to }) => to === address);
}

/** The link to this page in the latest mail that has one. */
const mailedLink = (to: string, page: RegExp): Promise<string> =>
  vi.waitFor(
    async () => {
      const [link] = (await mailsTo(to)).flatMap(({ text }) => page.exec(text) ?? []);
      return link ?? expect.fail(`no mail to ${to} with ${page}`);
    },
    { timeout: 30_000, interval: 100 },
  );
const RESET = /https?:\/\/\S+\/oauth\/password\/reset\?link=[\w-]+/;

describe("mails reach people", () => {
  test("who own a shop that was connected, with the page where the connection can be ended", async () => {
    const { merchant, shop } = people;
    const { refreshToken } = await app.connect(merchantBrowser(merchant), shop);
    const link = await mailedLink(merchant.email, /https?:\S+\/oauth\/connections$/m);
    expect((await app.refresh(refreshToken)).status).toBe(200);
    const browser = merchantBrowser(merchant);
    const confirm = await browser.press(await browser.openConsent(link), "Disconnect");
    expect((await browser.press(confirm, "Disconnect")).text).toContain("no longer has access");
    expect((await app.refresh(refreshToken)).status).toBe(400);
  });

  test("who forgot the password, and sign in with the new one", async () => {
    const { email } = people.merchant;
    const browser = merchantBrowser({ email, password: NEW });
    const form = await browser.open(`${stack.now.base_url}/oauth/password/forgot`);
    expect((await browser.press(form, "Send link", { Email: email })).text).toContain("Check your inbox");
    const reset = await browser.open(await mailedLink(email, RESET));
    await browser.press(reset, "Set password", { "New password": NEW, "New password again": NEW });
    const apps = await browser.openConsent(`${stack.now.base_url}/oauth/connections`);
    expect(apps.text).toContain("Connected apps");
    await expect.poll(async () => (await mailsTo(email)).length, { timeout: 30_000 }).toBeGreaterThan(2);
  });

  test("who have a new account: they set its password by the link, and sign in", async () => {
    const { shop } = people;
    const email = "nia@new.example";
    const added = await operator(stack.now, ["shop", "add-member", shop.id, email, "--create", "--name", "Nia"]);
    expect(added).toMatchObject({ email, link: null });
    const browser = merchantBrowser({ email, password: NEW });
    const link = await mailedLink(email, RESET);
    const fields = { "New password": NEW, "New password again": NEW };
    await browser.press(await browser.open(link), "Set password", fields);
    expect((await browser.openConsent(`${stack.now.base_url}/oauth/connections`)).text).toContain(
      "No connected apps yet",
    );
    expect((await browser.open(link)).text).toContain("This link has expired");
  });
});
