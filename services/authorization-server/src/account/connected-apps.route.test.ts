import { expect, test } from "vitest";
import { approvingMerchant, connectedMerchant } from "../testing/connected-merchant.ts";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture({ env: { AUTHORIZATION_CODE_TTL_SECONDS: "600" } });
const { sql } = fixture.replicas;

test("the page of connected apps groups the shops by app, and sorts both the apps and the shops by name", async () => {
  const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
  const { clientId } = await fixture.replicas.registerClient();
  const other = await fixture.registerShop("Bakery 2", "standard", merchant);
  await sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at, approved_at)
      SELECT shop, ${clientId}, 'connected', 'g', '{responses:read}', ${merchant.id}, now(), now()
      FROM unnest(${[shopId, other]}::text[]) AS shop`;
  await sql`UPDATE directory.clients SET name = 'Harbor' WHERE client_id = ${clientId}`;
  await sql`UPDATE directory.shops SET domain = 'bakery.example' WHERE id = ${other}`;
  const { html } = await browser.open("/oauth/connections");
  const line = /<h2 .*?<\/h2>|<p><b>.*?<\/p>|<p class="fine">.*?<\/p>|<strong.*?>$/gm;
  const lines = [...html.matchAll(line)];
  expect(lines.map(([line]) => line.replaceAll(/<[^>]*>/g, ""))).toEqual([
    ...["Harbor", "2 shops"],
    ...["Bakery 2", "bakery.example&nbsp;· Not used yet", "Not finished"],
    ...["Fern &amp; Field", "Not used yet", "Not finished"],
    "Lookout",
    ...["Fern &amp; Field", "Last used this hour"],
  ]);
  expect(html).toContain(`<a href="/oauth/connections/${shopId}/${connectionId}"`);
});

test("a search of the connected apps lists only the shops whose name matches, ignoring case", async () => {
  const { browser, merchant } = await connectedMerchant(fixture);
  for (let number = 1; number <= 6; number += 1)
    await fixture.registerShop(`Shop ${number}`, "standard", merchant);
  await sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, approved_at, connected_at)
      SELECT shop_id, ${fixture.client.clientId}, 'connected', 'g', '{responses:read}', ${merchant.id}, now(), now()
      FROM directory.memberships WHERE merchant_id = ${merchant.id} ON CONFLICT DO NOTHING`;
  const { html } = await browser.open("/oauth/connections?find=shop+3&page=2");
  const names = html.matchAll(/id="con_\w+"><p>.*?<bdi>([^<]*)/g);
  expect([...names].map(([, name]) => name)).toEqual(["Shop 3"]);
});

test("an unfinished first approval is listed with a Disconnect button only while its authorization code is valid", async () => {
  const { browser, shopId } = await approvingMerchant(fixture);
  const approvedBefore = (seconds: number) => sql`
      UPDATE oauth.connections SET approved_at = now() - make_interval(secs => ${seconds}) WHERE shop_id = ${shopId}`;
  const open = async () => (await browser.open("/oauth/connections")).html;
  for (const seconds of [0, 540]) {
    await approvedBefore(seconds);
    const html = await open();
    expect(html).toContain('<strong class="tag muted">Not finished</strong>');
    expect(html).toContain(">Disconnect</button>");
  }
  await approvedBefore(601);
  expect(await open()).toContain("No connected apps yet");
});

const detailsOf = (html: string) =>
  [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, value = ""]) => [
    name,
    value.replaceAll(/<[^>]*>/g, "").trim(),
  ]);

test("a connection's page shows the dates, approver, permissions and publisher, whose contact remains after disconnecting", async () => {
  const { browser, shopId, connectionId } = await connectedMerchant(fixture);
  await sql`
      UPDATE directory.clients SET publisher = 'Lookout Ltd', privacy_policy = 'https://lookout.example/privacy', contact = 'privacy@lookout.example'
      WHERE client_id = ${fixture.client.clientId}`;
  await sql`UPDATE oauth.connections SET scope = '{responses:read,sources:write}' WHERE shop_id = ${shopId}`;
  const path = `/oauth/connections/${shopId}/${connectionId}`;
  await expect
    .poll(async () => (await browser.open(path)).html)
    .toContain("By <bdi>Lookout Ltd</bdi>");
  const { html } = await browser.open(path, { "accept-language": "en-GB" });
  const now = expect.stringMatching(/this hour \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
  expect(detailsOf(html)).toEqual([
    ["Last used", now],
    ["Last approved by", expect.stringMatching(/^Ada \d+ \w+ \d{4}, /)],
    ["Connected", now],
    ["Expires if unused", expect.stringMatching(/^in 30 days \d+ \w+ \d{4}, \d\d:\d\d UTC$/)],
  ]);
  expect(html).toMatch(/<h2[^>]*>Permissions[\s\S]*Read survey responses[\s\S]*email addresses/);
  expect(html.match(/\S+ <strong>Requires the .*?</g)).toEqual([
    "podcasts. <strong>Requires the Advanced attribution plan.<",
  ]);
  expect(html).toContain('href="https://lookout.example/privacy"');
  const whom = '<a href="mailto:privacy@lookout.example">privacy@lookout.example</a>';
  expect(html).toContain(`To have your data deleted, email <bdi>Lookout Ltd</bdi> (${whom}).`);
  const done = await browser.press(await browser.open(`${path}/disconnect`), "Disconnect");
  expect((await browser.open(done.location ?? "")).html).toContain(whom);
  expect((await browser.open(path)).location).toBe(done.location);
});

test.each([
  ["revoked", ["Last approved by"]],
  ["connected", ["Last used", "Last approved by", "Connected"]],
])(
  "while a connection that was %s waits for a new code exchange, its page shows only the details %j",
  async (status, names) => {
    const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
    await sql`UPDATE oauth.connections SET status = ${status}, connected_at = '2020-01-01Z',
      last_used_at = '2020-01-01Z', approved_at = '2020-01-01Z' WHERE shop_id = ${shopId}`;
    const { page } = await fixture.consent(browser, merchant);
    await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    const { html } = await browser.open(`/oauth/connections/${shopId}/${connectionId}`);
    expect(html).toMatch(/"\/help#connect-again"><strong class="tag muted">Not finished<\/strong>/);
    expect(detailsOf(html).map(([name]) => name)).toEqual(names);
  },
);

test("regression: a disabled app or a paused connection had the wrong status on the pages of connected apps", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  const { browser, shopId, connectionId } = await connectedMerchant(fixture);
  await sql`UPDATE oauth.connections SET client_id = ${clientId} WHERE shop_id = ${shopId}`;
  await sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${clientId}`;
  const path = `/oauth/connections/${shopId}/${connectionId}`;
  expect((await browser.open(path)).html).toContain("Paused by Partner Connect.");
  await sql`UPDATE oauth.connections SET disabled = true WHERE shop_id = ${shopId}`;
  const paused = await browser.open(`/oauth/connections?disconnected=${connectionId}`);
  expect(paused.html).toMatch(
    /^(?![\s\S]*no longer has access)[\s\S]*"\/help#paused"><strong[^>]*>Paused</,
  );
  const done = await browser.press(await browser.press(paused, "Disconnect"), "Disconnect");
  const { html } = await browser.open(done.location ?? "");
  expect(html).toMatch(/no longer has access[\s\S]*No connected apps yet/);
});

test("disconnecting an app, once confirmed, revokes the connection and records the merchant and the request id in the audit log", async () => {
  const { browser, merchant, shopId, connectionId } = await connectedMerchant(fixture);
  const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
  expect(confirm.html).toContain("Disconnect <bdi>Lookout</bdi> from <bdi>Fern &amp; Field</bdi>?");
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
  const done = await browser.press(confirm, "Disconnect");
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
  const list = await browser.open(done.location ?? "");
  expect(list.html).toContain(
    "<bdi>Lookout</bdi> no longer has access to <bdi>Fern &amp; Field</bdi>.",
  );
  expect(list.html).toContain("No connected apps yet");
  const [record] = await sql`
      SELECT actor, ip::text, request_id, details ->> 'reason' AS reason FROM oauth.audit_log
      WHERE shop_id = ${shopId} AND connection_id = ${connectionId} AND event = 'revoke'`;
  expect(record).toMatchObject({
    actor: `merchant:${merchant.id}`,
    reason: "disconnected by the merchant",
  });
  expect(record?.["request_id"]).toBe(done.headers["x-request-id"]);
  expect(record?.["ip"]).toMatch(/^10\./);
});

test("a repeated disconnect of an unfinished first approval leads to the same page as the first disconnect", async () => {
  const { browser, shopId } = await approvingMerchant(fixture);
  const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
  const first = await browser.press(confirm, "Disconnect");
  expect((await browser.press(confirm, "Disconnect")).location).toBe(first.location);
  expect((await browser.open(first.location ?? "")).html).toContain("no longer has access");
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
});

test("an expired connection has a Remove button instead of Disconnect", async () => {
  const { browser, shopId } = await connectedMerchant(fixture);
  await sql`
      UPDATE oauth.connections SET last_used_at = now() - interval '31 days' WHERE shop_id = ${shopId}`;
  const list = await browser.open("/oauth/connections");
  expect(list.html).not.toContain(">Disconnect<");
  const confirm = await browser.press(list, "Remove");
  expect(confirm.html).toContain("Its access has expired. Removing");
  await browser.press(confirm, "Remove");
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
});

test("a disconnect with a wrong form token is refused with 403 and changes nothing", async () => {
  const { browser, shopId } = await connectedMerchant(fixture);
  const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
  expect((await browser.press(confirm, "Disconnect", { token: "wrong" })).status).toBe(403);
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
});

test("another merchant's connection can be neither opened nor disconnected, and gets 404 like an unknown connection", async () => {
  const { shopId, connectionId } = await connectedMerchant(fixture);
  const { browser, shopId: own } = await connectedMerchant(fixture);
  const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
  for (const path of [`${shopId}/${connectionId}`, `${own}/${connectionId}`, `${own}/con_none`]) {
    const action = `/oauth/connections/${path}/disconnect`;
    const moved = { ...confirm, forms: confirm.forms.map((form) => ({ ...form, action })) };
    expect((await browser.press(moved, "Disconnect")).status).toBe(404);
    for (const page of ["", "/disconnect"])
      expect((await browser.open(`/oauth/connections/${path}${page}`)).status).toBe(404);
  }
  expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "connected" });
});
