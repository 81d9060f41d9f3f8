import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { mailsTo, WITH_MAIL } from "../testing/mails.ts";
import { expectPage, type MerchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";

const newEmail = () => `${randomUUID()}@shop.example`;
const PATH = "/oauth/password/forgot";

const fixture = await suiteFixture({ replicas: 2, env: { ...WITH_MAIL, HELP_URL: "https://a.b" } });
const { sql } = fixture.replicas;

const ask = async (email: string, browser: MerchantBrowser = fixture.browser(), page?: Page) =>
  await browser.press(page ?? (await browser.open(PATH)), "Send link", { email });
const waiting = async () =>
  await sql`SELECT kind, merchant_id, about FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) ORDER BY created_on`;

test("a reset request accepts the email in any case, and shows what to do if no mail arrives", async () => {
  const ada = await fixture.registerMerchant();
  const browser = fixture.browser();
  const answer = await ask(` ${ada.email.toUpperCase()} `, browser);
  expect([answer.status, answer.location]).toEqual([303, `${PATH}?sent=1`]);
  expect(await mailsTo(fixture, ada)).toEqual([{ kind: "reset_password", about: {} }]);
  const sent = await browser.open(answer.location ?? "");
  expect(sent.html).toContain("a link from <strong>post@connect.example</strong> is on its way");
  expect(sent.html).toMatch(/Check your spam folder and the address\.[\s\S]*>Contact us</);
  // The page is the same in another language.
  const german = await browser.press(sent, "Deutsch");
  expect((await browser.open(german.location ?? "")).html).toContain("Prüfen Sie Ihr Postfach");
});

test("a reset request gets the same response and queues one job, whether the account is active, disabled or unknown", async () => {
  const [ada, paused] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
  await sql`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${paused.id}`;
  const nobody = newEmail();
  const seen = [];
  for (const email of [ada.email, paused.email, nobody]) {
    const rows = (await waiting()).length;
    const browser = fixture.browser();
    const form = await browser.open(PATH);
    const answer = await ask(email, browser, form);
    const sent = await browser.open(answer.location ?? "");
    expect((await waiting()).length).toBe(rows + 1);
    seen.push(
      [form, answer, sent].map(({ status, location, html, headers }) =>
        JSON.stringify([status, location, html, Object.keys(headers)]).replaceAll(
          /name=\\"token\\" value=\\"[^"]*/g,
          "",
        ),
      ),
    );
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  expect((await waiting()).slice(-2)).toEqual(
    Array(2).fill({ kind: "none", merchant_id: null, about: {} }),
  );
  expect(JSON.stringify(await waiting())).not.toContain(nobody);
});

test("reset requests beyond the limit of a mailbox or of a network get 429", async () => {
  for (const email of [(await fixture.registerMerchant()).email, newEmail()]) {
    for (let n = 0; n < 3; n += 1) expect((await ask(email)).status).toBe(303);
    const refused = await ask(email);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(500);
    expect(refused.html).toContain("Check your inbox and the address, or try again in 30 minutes.");
    expect(refused.html).toContain(`value="${email}"`);
  }
  const browser = fixture.browser();
  const form = await browser.open(PATH);
  const statuses = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await ask(newEmail(), browser, form)).status);
  expect(statuses.indexOf(429)).toBe(60);
  expect((await ask(newEmail())).status).toBe(303);
});

test("a reset request that Postgres can't store gets 503 and doesn't count towards the mailbox's limit", async () => {
  const { email } = await fixture.registerMerchant();
  const failed = await sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.merchants IN ACCESS EXCLUSIVE MODE`;
    return await Promise.all([ask(email), ask(email), ask(email)]);
  });
  expect(failed.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect((await ask(email)).status).toBe(303);
});

test("a forgotten-password form with an invalid email address is refused with 422 and queues no mail", async () => {
  const rows = (await waiting()).length;
  const refused = await ask("adä@muller.example");
  expectPage(refused, 422, "Enter a complete email address");
  expect((await waiting()).length).toBe(rows);
});

test("a forgotten-password form submitted from another browser gets 403 with a new form that is accepted", async () => {
  const rows = (await waiting()).length;
  const [browser, other] = [fixture.browser(), fixture.browser()];
  await other.open(PATH);
  const page = await ask(newEmail(), other, await browser.open(PATH));
  expectPage(page, 403, "Nothing was changed");
  expect((await waiting()).length).toBe(rows);
  expect((await ask(newEmail(), other, page)).status).toBe(303);
});
