import { waitingSessions } from "@partner-connect/database/testing";
import { clientDetails, rotateClientSecret } from "@partner-connect/directory";
import { beforeEach, expect, test, vi } from "vitest";
import { mailsTo } from "../testing/mails.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";
import { addPasskey } from "../testing/passkey-walks.ts";
import { refreshTokens } from "../testing/token-calls.ts";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
let partner: PartnerFixture;
beforeEach(async () => {
  partner = await partnerFixture(fixture);
});

const MAKE = "Add a second secret";
const END = "Revoke old secret";
const REPLACE = "Replace new secret";
const secretIn = (html: string) => /<code>(pcs_[\w-]+)<\/code>/.exec(html)?.[1] ?? "";
const secretsNow = async () => (await clientDetails(sql, partner.client.clientId)).secrets;
const make = async () => await partner.person.browser.press(await partner.open("settings"), MAKE);

/** Whether the token endpoint accepts the secret when no replica has the old client cached. */
async function works(secret: string): Promise<boolean> {
  const own = { ...partner.client, secret };
  const { body } = await refreshTokens(fixture.replicas.app(), own, "pcr_none");
  return body.error === "invalid_grant";
}

test("a second secret is shown only once, and the former secret is accepted until a member revokes it", async () => {
  const { browser } = partner.person;
  const made = await make();
  expect([made.status, made.headers["cache-control"]]).toEqual([200, "no-store"]);
  const secret = secretIn(made.html);
  await expect.poll(() => works(secret)).toBe(true);
  expect(await works(partner.client.secret)).toBe(true);
  const list = await partner.open("settings");
  expect(list.html).not.toContain("pcs_");
  const rows = list.html.replaceAll(/<[^>]*>/g, "").matchAll(/…(.*)\nCreated .*&nbsp;· (.*)/g);
  expect([...rows].map(([, ...row]) => row)).toEqual([
    [`${secret.slice(-4)} `, `Never used${REPLACE}`],
    [`${partner.client.secret.slice(-4)} Expires in 7 days`, `Never used${END}`],
  ]);
  const [, former] = await secretsNow();
  const days = ((former?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);

  await fixture.replicas.secretUses.flush();
  const end = await browser.open(partner.path("settings/secrets/end"));
  expect((await browser.press(end, END)).location).toBe(partner.path("settings"));
  await expect.poll(() => works(partner.client.secret)).toBe(false);
  expect(await works(secret)).toBe(true);
  const again = await partner.open("settings/secrets/end");
  expect(again.location).toBe(partner.path("settings"));
  const mails = (await mailsTo(fixture, partner.person)).map(({ kind }) => kind);
  expect(mails).toEqual(["client_secret_made", "client_secret_ended"]);
});

test("regression: a new secret was shown as last used before its creation, because a use is stored by its hour", async () => {
  expect(await works(partner.client.secret)).toBe(true);
  await fixture.replicas.secretUses.flush();
  const [{ createdAt, lastUsedAt } = expect.fail()] = await secretsNow();
  expect(Number(lastUsedAt)).toBeGreaterThanOrEqual(Number(createdAt));
});

test("replacing a lost new secret revokes the lost secret and leaves the former secret valid", async () => {
  const { browser } = partner.person;
  const lost = secretIn((await make()).html);
  const [, before] = await secretsNow();
  const page = await browser.open(partner.path("settings/secrets/replace"));
  const secret = secretIn((await browser.press(page, REPLACE)).html);
  await expect.poll(() => works(lost)).toBe(false);
  expect([await works(secret), await works(partner.client.secret)]).toEqual([true, true]);
  expect((await secretsNow())[1]).toEqual(before);

  const again = await browser.press(page, REPLACE);
  expect([again.status, secretIn(again.html)]).toEqual([403, ""]);
  expect(await works(secret)).toBe(true);
});

test("two concurrent submissions of the replace form create one secret, and the response shows that secret", async () => {
  const { browser } = partner.person;
  await make();
  const page = await browser.open(partner.path("settings/secrets/replace"));
  const answers = await sql.begin(async (held) => {
    await held`SELECT FROM directory.clients WHERE client_id = ${partner.client.clientId} FOR UPDATE`;
    const pressed = [1, 2].map(() => browser.press(page, REPLACE));
    await expect.poll(() => waitingSessions(sql), { interval: 5 }).toBe(2);
    return { pressed };
  });
  const [shown, refused] = (await Promise.all(answers.pressed)).toSorted(
    (a, b) => a.status - b.status,
  );
  expect([shown?.status, refused?.status, secretIn(refused?.html ?? "")]).toEqual([200, 409, ""]);
  await expect.poll(() => works(secretIn(shown?.html ?? ""))).toBe(true);
});

test("concurrent submissions of the form for a second secret create no third secret", async () => {
  const { browser } = partner.person;
  const form = await partner.open("settings");
  const answers = await Promise.all([1, 2].map(() => browser.press(form, MAKE)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.html).toContain(`href="${partner.path("settings/secrets/replace")}"`);
  expect(await secretsNow()).toHaveLength(2);
});

test("a page of secrets that was opened before an operator's rotation can't revoke or replace a secret", async () => {
  const { browser } = partner.person;
  await make();
  const [end, replace] = [
    await partner.open("settings/secrets/end"),
    await partner.open("settings/secrets/replace"),
  ];
  const operator = { name: "operator:test" };
  await rotateClientSecret(sql, partner.client.clientId, "as before", operator);
  const before = await secretsNow();
  expect((await browser.press(end, END)).status).toBe(403);
  expect((await browser.press(replace, REPLACE)).status).toBe(403);
  expect(await secretsNow()).toEqual(before);
});

test("a member with a passkey can add a secret only within ten minutes of a confirmation", async () => {
  const { browser } = partner.person;
  await addPasskey(browser);
  const form = await partner.open("settings");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
  const answer = await browser.press(form, MAKE);
  expect(answer.status).toBe(303);
  expect(answer.location).toMatch(/^\/oauth\/account\/confirm\?return=/);
  expect(await secretsNow()).toHaveLength(1);
});
