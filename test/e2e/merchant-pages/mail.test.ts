import { connectDatabase } from "@partner-connect/database";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { linkMailedTo, takenMails } from "../../harness/actors/mailbox.ts";
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

const taken = () => takenMails(stack.now);
const mailedLink = (to: string, path: string) => linkMailedTo(stack.now, to, path);

describe("mails reach people", () => {
  test("who own a shop within ten seconds of a connection, with the page where it can be ended", async () => {
    const { merchant, shop } = people;
    const { refreshToken } = await app.connect(merchantBrowser(merchant), shop);
    const link = await vi.waitFor(async () => {
      const texts = (await taken()).filter(({ to }) => to === merchant.email).map(({ text }) => text);
      return /https?:\S+\/oauth\/connections$/m.exec(texts.join("\n"))?.[0] ?? expect.fail("no mail");
    }, 10_000);
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
    const reset = await browser.open(await mailedLink(email, "/oauth/password/reset"));
    await browser.press(reset, "Set password", { "New password": NEW, "New password again": NEW });
    const apps = await browser.openConsent(`${stack.now.base_url}/oauth/connections`);
    expect(apps.text).toContain("Connected apps");
    await vi.waitFor(
      async () => expect((await taken()).filter(({ to }) => to === email).length).toBeGreaterThan(2),
      30_000,
    );
  });

  test("who have a new account: they set its password by the link, and sign in", async () => {
    const { shop } = people;
    const email = "nia@new.example";
    const added = await operator(stack.now, ["shop", "add-member", shop.id, email, "--create", "--name", "Nia"]);
    expect(added).toMatchObject({ email, link: null });
    const browser = merchantBrowser({ email, password: NEW });
    const link = await mailedLink(email, "/oauth/password/reset");
    const fields = { "New password": NEW, "New password again": NEW };
    await browser.press(await browser.open(link), "Set password", fields);
    expect((await browser.openConsent(`${stack.now.base_url}/oauth/connections`)).text).toContain(
      "No connected apps yet.",
    );
    expect((await browser.open(link)).text).toContain("This link has expired");
  });
});

test("a mail server that is away changes nothing of what pages answer, and what they wrote is sent when it is back", async () => {
  const env = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", WORKER_REPLICAS: "1" };
  // Nobody listens there.
  const away = await startOwnStack({
    env: { ...env, SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "post@connect.example" },
  });
  try {
    const { email } = (await onboard(away.now)).merchant;
    const browser = merchantBrowser({ email, password: NEW });
    const form = await browser.open(`${away.now.base_url}/oauth/password/forgot`);
    expect((await browser.press(form, "Send link", { Email: email })).text).toContain("Check your inbox");
    const sql = connectDatabase(away.now.database_url, { name: "test", connections: 1 });
    await vi.waitFor(async () => {
      const [job] = await sql`SELECT data ->> 'kind' AS kind, output ->> 'reason' AS reason FROM worker_jobs.job`;
      expect(job).toMatchObject({ kind: "reset_password", reason: expect.stringContaining("ECONNREFUSED") });
    }, 30_000);
    await sql.end();
  } finally {
    await away.stop();
  }
});
