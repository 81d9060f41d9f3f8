import { addActivity } from "@partner-connect/connections/activity";
import { beforeAll, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";
import { refreshTokens } from "../testing/token-calls.ts";

const fixture = await suiteFixture();
let partner: PartnerFixture;
beforeAll(async () => {
  partner = await partnerFixture(fixture);
});

/** What the server was asked until now, as it is stored every ten seconds. */
const store = (): Promise<void> => fixture.replicas.activity.flush();

const app = () => fixture.replicas.apps[0] ?? expect.fail("no replica");
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("who has the x-request-id of a refused call finds it with its cure, its time and a link to the guide", async () => {
  const { client } = partner;
  const { headers } = await refreshTokens(app(), { ...client, secret: "wrong" }, "unknown");
  await refreshTokens(app(), client, "unknown");
  await store();
  const id = String(headers["x-request-id"]);
  const { browser } = partner.person;
  const page = await browser.open(`${partner.path("refusals")}?request_id=%20${id.toUpperCase()}`);
  expect(page.status).toBe(200);
  expect(textOf(page.html)).toMatch(
    /401 invalid_client wrong_secret .*HTTP Basic with your id and secret, nowhere else\. Connections are untouched .*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC POST \/oauth\/api\/token 401/,
  );
  expect(page.html).toContain('href="/docs/errors#token-endpoint"');
  expect(page.html).not.toContain("unknown_refresh_token");
  const list = await partner.open("refusals");
  expect(textOf(list.html)).toMatch(/unknown_refresh_token 1 in 7 days, 1 of them kept/);
  expect(list.html).toContain(`request_id=${id}`);
});

test("an id that nothing has is said to have nothing, with what no app has; another app's refusals are not found", async () => {
  const other = await partnerFixture(fixture);
  const { headers } = await refreshTokens(app(), other.client, "unknown");
  await store();
  for (const id of [String(headers["x-request-id"]), "<script>", "none"]) {
    const page = await partner.open(`refusals?request_id=${encodeURIComponent(id)}`);
    expect([page.status, textOf(page.html)]).toEqual([200, expect.stringMatching(/has this id.*A 401 of the API/)]);
    expect(page.html).not.toContain("<script>");
  }
  expect((await other.open("refusals")).html).toContain(String(headers["x-request-id"]));
});

test("of many reasons the newest are shown with examples, the others by their numbers; the page stays small", async () => {
  const many = await partnerFixture(fixture);
  const { clientId } = many.client;
  const activity = Array.from({ length: 40 }, (_, n) => ({
    clientId,
    hour: Date.now() - (Date.now() % 3_600_000),
    what: "refused" as const,
    reason: `reason_${n}`,
    count: 100_000,
    examples: Array.from({ length: 60 }, (_, i) => ({
      clientId,
      what: "refused" as const,
      reason: `reason_${n}`,
      at: Date.now() - 100_000 * n - i,
      requestId: crypto.randomUUID(),
      call: "GET /api/responses",
      status: 400,
      error: "invalid_request",
      param: "question_id",
      connectionId: `con_${"0".repeat(32)}`,
    })),
  }));
  await addActivity(fixture.replicas.sql, activity);
  const all = await many.open("refusals");
  expect(all.html.match(/<time /g)).toHaveLength(15);
  expect(textOf(all.html)).toContain("reason_0 100,000 in 7 days, 60 of them kept");
  const one = await many.open("refusals?what=refused&reason=reason_39");
  expect(one.html.match(/<time /g)).toHaveLength(30);
  for (const { html } of [all, one]) expect(html.length).toBeLessThan(20 * 1024);
});
