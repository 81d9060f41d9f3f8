import { transaction } from "@partner-connect/database";
import { expect, test } from "vitest";
import { testFixture } from "../testing/merchant-fixture.ts";
import { connectShop } from "../testing/partner-calls.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";
import { refreshTokens } from "../testing/token-calls.ts";

test("twenty pages of a member that wait for Postgres don't block other clients' refreshes", async () => {
  const fixture = await testFixture();
  const { replicas } = fixture;
  const app = replicas.app();
  const client = await replicas.registerClient();
  const { refreshToken } = await connectShop(replicas, client);
  const partner = await partnerFixture(fixture);

  const opened = await transaction(replicas.sql, async (tx) => {
    await tx`LOCK TABLE oauth.client_refusals IN ACCESS EXCLUSIVE MODE`;
    const pages = Array.from({ length: 20 }, () => partner.open("errors"));
    for (let i = 0; i < 5; i++)
      expect((await refreshTokens(app, client, refreshToken)).status).toBe(200);
    return { pages };
  });
  await Promise.all(opened.pages);
});

test("the partner pages have a rate limit per member, which doesn't affect other members of the app", async () => {
  const fixture = await testFixture({ env: { API_RATE_LIMIT: "3" } });
  const partner = await partnerFixture(fixture);
  const other = await partner.join();
  for (let used = 1; used <= 3; used++) expect((await partner.open()).status).toBe(200);
  const refused = await partner.open("connections?find=zz");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.html).toContain("Too many requests");
  expect((await other.browser.open(partner.path())).status).toBe(200);
});
