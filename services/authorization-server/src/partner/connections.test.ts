import { expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture();
const MANY = 60;
const partner = await partnerFixture(fixture);
const { sql } = fixture.replicas;
await sql`
  INSERT INTO directory.shops (id, name, domain, plan)
  SELECT 'shop_p' || n, 'Shop ' || n, 's' || n || '.example', 'standard' FROM generate_series(1, ${MANY}) AS n`;
await sql`
  INSERT INTO directory.memberships (shop_id, merchant_id) SELECT 'shop_p' || n, ${partner.person.id} FROM generate_series(1, ${MANY}) AS n`;
await sql`
  INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, connected_at, exchanged_at, last_used_at)
  SELECT 'shop_p' || n, ${partner.client.clientId}, 'con_p' || lpad(n::text, 3, '0'), 'connected', '{responses:read,sources:write}', 'grant',
    ${partner.person.id}, now(), now(), now() FROM generate_series(1, ${MANY}) AS n`;
await sql`UPDATE oauth.connections SET status = 'revoked' WHERE id = 'con_p002'`;

const links = (html: string) => [...html.matchAll(/connections\/(con_p\d+)"/g)].map(([, id]) => id);

test("the pages of a client's connections list every connection once, newest first, with the total", async () => {
  expect((await partner.open("connections")).html).toContain(`>${MANY} connections, newest first<`);
  expect((await partner.open("connections?status=revoked")).html).toContain(">1 connection<");
  const seen: (string | undefined)[] = [];
  for (let path: string | undefined = partner.path("connections"); path; ) {
    const { html } = await partner.person.browser.open(path);
    seen.push(...links(html));
    path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(seen).toEqual(
    Array.from({ length: MANY }, (_, n) => `con_p${String(MANY - n).padStart(3, "0")}`),
  );
});

test("a client's connections are found by the shop's name, domain or id, by the connection's id, and by the status", async () => {
  const searches = [
    ["find=SHOP 41", ["con_p041"]],
    ["find=s42.example", ["con_p042"]],
    ["find=shop_p43", ["con_p043"]],
    ["find=con_p044", ["con_p044"]],
    ["status=revoked", ["con_p002"]],
    ["find=nothing", []],
  ] as const;
  for (const [query, found] of searches) {
    const { html } = await partner.open(`connections?${new URLSearchParams(query)}`);
    expect.soft(links(html), query).toEqual(found);
    expect.soft(html.includes("or a whole shop or connection ID"), query).toBe(!found[0]);
  }
});

test("a connection's errors of the last seven days are counted both in the list and on the connection's page", async () => {
  await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      VALUES ('shop_p7', 'con_p007', date_trunc('hour', now()), 9, 0, 4, 1), ('shop_p7', 'key_1', date_trunc('hour', now()), 9, 0, 4, 1)`;
  await sql`
      INSERT INTO oauth.client_refusals (client_id, what, reason, at, request_id, call, status, connection_id)
      SELECT ${partner.client.clientId}, what, 'x', now() - days * interval '1 day', '1', '', 400, 'con_p007'
      FROM (VALUES ('token_refused', 0), ('token_failed', 0), ('refused', 0), ('token_refused', 8)) AS made (what, days)`;
  const { html } = await partner.open("connections?find=con_p007");
  expect(html).not.toMatch(/"zero"|>Test</);
  expect(html).toMatch(/ UTC">this hour<\/time>.*<a href="\S+\/errors\?connection=con_p007">7</);
  const page = await partner.open("connections/con_p007");
  expect(page.html).toMatch(
    />Shop 7<.*>s7.*>Connected<.*=con_p007">7 in 7 days<.*>responses:read</s,
  );
  const ended = (await partner.open("connections/con_p002")).html;
  expect(ended).toMatch(/role="alert">The connection has ended\..*>None in 7 days</s);
});

test("the connections of a client's test shop are listed with the tag Test and without a domain", async () => {
  await partner.person.browser.press(await partner.open("settings"), "Create test shop");
  const { client, person } = partner;
  await sql`
      INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, connected_at)
      SELECT shop_id, client_id, 'con_test', 'connected', '{responses:read}', 'g', ${person.id}, now()
      FROM directory.test_shops WHERE client_id = ${client.clientId}`;
  const { html } = await partner.open("connections?find=con_test");
  expect(html).toMatch(/<span class="tag muted">Test<\/span> <\/p><\/td>.* class="zero">0</s);
  await sql`DELETE FROM oauth.connections WHERE id = 'con_test'`;
});

test("a client's pages neither show another client's connection nor accept it as a cursor", async () => {
  const other = await partnerFixture(fixture);
  expect((await other.open("connections/con_p005")).status).toBe(404);
  expect((await other.open("connections?after=con_p005")).location).toBe(other.path("connections"));
});

test("a disconnect that a member confirms is mailed, audited and counted as a revocation by the partner", async () => {
  const { browser } = partner.person;
  const page = await browser.press(await partner.open("connections/con_p010"), "Disconnect");
  expect(page.html).toContain("Your access ends immediately.");
  const done = await browser.press(page, "Disconnect");
  expect(done.location).toBe(`${partner.path("connections")}?done=1`);
  const [ended] = await sql`SELECT status FROM oauth.connections WHERE id = 'con_p010'`;
  expect(ended?.["status"]).toBe("revoked");
  expect(
    await sql`SELECT actor, details ->> 'reason' AS reason FROM oauth.audit_log WHERE connection_id = 'con_p010'`,
  ).toEqual([
    { actor: `client:${partner.client.clientId}`, reason: "disconnected by the partner" },
  ]);
  expect(
    await sql`SELECT kind, about ->> 'by' AS by FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE shop_id = 'shop_p10'`,
  ).toEqual([{ kind: "app_disconnected", by: "client" }]);
  expect(
    await sql`SELECT actor FROM directory.audit_log WHERE event = 'partner_disconnect' AND details ->> 'connection_id' = 'con_p010'`,
  ).toEqual([{ actor: `merchant:${partner.person.id}` }]);
  const { registry } = fixture.replicas.metrics;
  const counted = registry.getSingleMetric("partner_connect_revocations_total");
  expect((await counted?.get())?.values).toMatchObject([
    { labels: { cause: "partner" }, value: 1 },
  ]);
  const again = await partner.open("connections/con_p010/disconnect");
  expect(again.location).toBe(partner.path("connections/con_p010"));
});
