import { addActivity } from "@partner-connect/connections/activity";
import { expect, test } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";
import { authorizationUrl, REDIRECT_URI } from "../testing/replicas.ts";
import { refreshTokens } from "../testing/token-calls.ts";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
const partner = await partnerFixture(fixture);

const { app, activity: counts } = fixture.replicas;
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("the errors page finds a failed request by its x-request-id and shows the cause, fix and time", async () => {
  const { client } = partner;
  const { headers } = await refreshTokens(app(), { ...client, secret: "wrong" }, "unknown");
  await refreshTokens(app(), client, "unknown");
  await counts.flush();
  const id = String(headers["x-request-id"]);
  const { browser } = partner.person;
  const page = await browser.open(`${partner.path("errors")}?request_id=%20${id.toUpperCase()}`);
  expect(page.status).toBe(200);
  expect(textOf(page.html)).toMatch(
    /The client ID or secret is wrong, or wasn’t sent with HTTP Basic 401 invalid_client · How to fix it POST \/oauth\/api\/token \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC/,
  );
  expect(page.html).not.toContain("invalid_grant");
  const list = await partner.open("errors");
  expect(textOf(list.html)).toMatch(
    /This refresh token isn’t yours Check which .*invalid_grant · 1 error · How/,
  );
  expect(list.html).toContain(`<code>${id}</code>`);
  expect(list.html).toContain('href="/docs/errors#token-invalid-client">How to fix it<');
});

test("the errors page, filtered by an endpoint, shows only the failed calls to it", async () => {
  const { client, open, path } = await partnerFixture(fixture);
  await refreshTokens(app(), client, "unknown");
  await app().inject(authorizationUrl(client.clientId, { redirect_uri: "https://b.example" }));
  await counts.flush();
  const shown = async (endpoint: string) =>
    (await open(`errors?endpoint=${endpoint}`)).html.match(/This re\w+ .+ isn’t|None .* endpoint/g);
  const [token, uri] = ["This refresh token isn’t", "This redirect URI isn’t"];
  expect(await shown("token")).toEqual([token]);
  expect(await shown("authorize")).toEqual([uri]);
  expect(await shown("API")).toEqual(["None that we keep is from this endpoint"]);
  expect((await shown("else"))?.toSorted()).toEqual([uri, token]);
  expect((await open("errors?endpoint=API")).html).toContain(`href="${path("errors")}">Show all<`);
});

test("the errors page shows refused redirect URIs above the registered URIs, with secret parts removed", async () => {
  const { client, open } = await partnerFixture(fixture);
  const refuse = (uri: string) =>
    app().inject(authorizationUrl(client.clientId, { redirect_uri: uri }));
  await refuse("https://a:squirrel@b.example/c\0d \u202e?code=squirrel#squirrel");
  await refuse(`${REDIRECT_URI}/#squirrel`);
  await counts.flush();
  const { html } = await open("errors");
  const [sent, registered] = textOf(html.replaceAll(/<wbr>|<.?mark>/g, "")).split("Registered");
  for (const uri of [`${REDIRECT_URI}/#…`, "https://…@b.example/c%00d%20%E2%80%AE?…"])
    expect(sent).toContain(uri);
  expect(registered).toContain(REDIRECT_URI);
  expect(html).not.toContain("squirrel");
});

test("the errors page finds neither an unknown request id nor another app's failed request", async () => {
  const other = await partnerFixture(fixture);
  const { headers } = await refreshTokens(app(), other.client, "unknown");
  await counts.flush();
  for (const id of [String(headers["x-request-id"]), "<script>", "none"]) {
    const page = await partner.open(`errors?request_id=${encodeURIComponent(id)}`);
    expectPage(page, 200, "Not found. API 401s");
    expect(page.html).not.toContain("<script>");
  }
  expect((await other.open("errors")).html).toContain(String(headers["x-request-id"]));
});

test("the errors page shows each reason's count and at most three examples, with or without a filter by connection", async () => {
  const many = await partnerFixture(fixture);
  const { clientId } = many.client;
  const connectionId = `con_${"0".repeat(32)}`;
  const { shopId, merchantId } = await fixture.replicas.registerShop();
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, connected_at)
    VALUES (${shopId}, ${clientId}, ${connectionId}, 'connected', '{}', 'grant', ${merchantId}, now())`;
  const hour = Date.now() - (Date.now() % 3_600_000);
  const call = { call: "GET /api/responses", status: 400, error: "invalid_request" };
  const activity = Array.from({ length: 20 }, (_, n) => {
    const reason = { clientId, what: "refused" as const, reason: `reason_${n}` };
    const examples = Array.from({ length: 60 }, (_, i) => ({
      ...{ ...reason, ...call, connectionId, param: "question_id", sent: null },
      ...{ at: Date.now() - 100_000 * n - i, requestId: crypto.randomUUID() },
    }));
    return { ...reason, hour, count: 100_000, examples };
  });
  await addActivity(sql, activity);
  const { html } = await many.open("errors");
  expect(html.match(/<time>/g)).toHaveLength(60);
  expect(html).toContain(`href="${many.path("connections")}/${connectionId}"><bdi>`);
  expect(textOf(html)).toContain("400 invalid_request · 100,000 errors, the latest 3 below");
  expect(html.length).toBeLessThan(40 * 1024);
  const ofShop = `errors?connection=${connectionId}`;
  expect(textOf((await many.open(ofShop)).html)).toMatch(
    /Failed calls for .+ in the last 7 days .* Show all .* 60 errors, the latest 3 below/,
  );
  await sql`DELETE FROM oauth.client_refusals WHERE client_id = ${clientId}`;
  expectPage(await many.open(ofShop), 200, "None that we keep is from this shop.");
  for (const other of [ofShop, "errors?connection='"])
    expect((await partner.open(other)).status).toBe(404);
});
