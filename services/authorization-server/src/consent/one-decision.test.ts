import { createHash } from "node:crypto";
import { freshRedis, keysOf, type TestRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, offered, type TestMerchant } from "../testing/merchant-fixture.ts";
import type { RegisteredClient } from "../testing/replicas.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const SHOPS = ["Fern & Field", "Blue Cup", "Mill", "Nook"];
const VERIFIER = "v".repeat(43);
const codeChallenge = createHash("sha256").update(VERIFIER).digest("base64url");

let fixture: MerchantFixture;
let redis: TestRedis;

beforeAll(async () => {
  redis = await freshRedis(process.env["TEST_REDIS_URL"]);
  fixture = await merchantFixture({ replicas: 2, redisUrl: redis.url, env: { CODE_REPLAY_GRACE_SECONDS: "2" } });
});
afterAll(async () => {
  await fixture?.replicas.stop();
  await redis?.drop();
});

interface Asked {
  readonly merchant: TestMerchant;
  readonly client: RegisteredClient;
  readonly browser: MerchantBrowser;
  readonly path: string;
  readonly page: Page;
  /** By name. */
  readonly shops: Readonly<Record<string, string>>;
  approve(shop: string): Promise<Page>;
  decline(): Promise<Page>;
}

/** A consent page in front of a merchant with four shops, of a client that nobody else has. */
async function asked(): Promise<Asked> {
  const merchant = await fixture.registerMerchant();
  const client = await fixture.replicas.registerClient();
  const shops: Record<string, string> = {};
  for (const name of SHOPS) shops[name] = await fixture.registerShop(name, "standard", merchant);
  const browser = fixture.browser();
  const { path, page } = await fixture.consent(browser, merchant, { clientId: client.clientId, codeChallenge });
  return {
    ...{ merchant, client, browser, path, page, shops },
    approve: (shop) => browser.press(page, "Approve", { shop: offered(page, shop) }),
    decline: () => browser.press(page, "Decline"),
  };
}

/** What was committed for the client: the shops of its connections, and each event. */
async function committed({ client, shops }: Asked) {
  const { sql } = fixture.replicas;
  const ids = Object.values(shops);
  const rows =
    await sql`SELECT shop_id FROM oauth.connections WHERE shop_id = ANY(${ids}) AND client_id = ${client.clientId}`;
  const events = await sql`SELECT event FROM oauth.audit_log WHERE shop_id = ANY(${ids}) ORDER BY id`;
  return { shops: rows.map((row) => row["shop_id"]), events: events.map((row) => row["event"]) };
}

function expectEnded(page: Page): void {
  expect([page.status, page.location]).toEqual([404, null]);
  expect(page.html).toContain("This request has ended");
}

describe("the first decision counts", () => {
  test("approving one shop, going back and approving another commits the first alone", async () => {
    const one = await asked();
    expect((await one.approve("Fern & Field")).status).toBe(302);
    expectEnded(await one.approve("Blue Cup"));
    expect(await committed(one)).toEqual({ shops: [one.shops["Fern & Field"]], events: ["approve"] });
  });

  test("approving, going back and declining tells the partner nothing more", async () => {
    const one = await asked();
    await one.approve("Fern & Field");
    expectEnded(await one.decline());
    expect(await committed(one)).toEqual({ shops: [one.shops["Fern & Field"]], events: ["approve"] });
  });

  test("declining, going back and approving changes nothing", async () => {
    const one = await asked();
    expect((await one.decline()).location).toContain("error=access_denied");
    expectEnded(await one.approve("Fern & Field"));
    expect(await committed(one)).toEqual({ shops: [], events: [] });
  });

  test("after it none of the request's pages asks for another", async () => {
    for (const decide of [(one: Asked) => one.approve("Mill"), (one: Asked) => one.decline()]) {
      const one = await asked();
      await decide(one);
      expectEnded(await one.browser.open(one.path));
      expectEnded(await one.browser.open(one.path.replace("?", "/decline?")));
      expectEnded(await one.browser.press(one.page, "Approve", { shop: "" }));
    }
  });

  test("of 50 different answers at once over two replicas exactly one is committed, and told alike to all who gave it [decision.once]", async () => {
    for (let round = 0; round < 8; round += 1) {
      const one = await asked();
      const answers = Array.from({ length: 50 }, (_, n) => {
        const shop = SHOPS[(n + round) % 5];
        return shop === undefined ? one.decline() : one.approve(shop);
      });
      const pages = await Promise.all(answers);
      const counted = pages.filter(({ status }) => status === 302);
      expect(counted).toHaveLength(10);
      expect(new Set(counted.map(({ location }) => location)).size).toBe(1);
      for (const page of pages) if (page.status !== 302) expectEnded(page);
      const { shops, events } = await committed(one);
      const isDeclined = counted[0]?.location?.includes("error=access_denied");
      expect(shops).toHaveLength(isDeclined ? 0 : 1);
      expect(new Set(events)).toEqual(new Set(isDeclined ? [] : ["approve"]));
    }
  }, 60_000);

  test("of an approval and a refusal at once one is told, and it is the one that is true [decision.once]", async () => {
    const told = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const one = await asked();
      const pages = await Promise.all(
        round % 2 ? [one.approve("Nook"), one.decline()] : [one.decline(), one.approve("Nook")],
      );
      const locations = pages.flatMap(({ location }) => location ?? []);
      expect(locations).toHaveLength(1);
      const isApproved = locations[0]?.includes("code=") === true;
      expect(locations[0]).toContain(isApproved ? "code=" : "error=access_denied");
      expect((await committed(one)).events).toEqual(isApproved ? ["approve"] : []);
      told.add(isApproved ? "approved" : "declined");
    }
    console.info(`of 30 races: ${[...told].join(" and ")}`);
  }, 60_000);
});

describe("the same decision again", () => {
  test("leads to the same code and state, and commits nothing a second time [decision.once]", async () => {
    const one = await asked();
    const first = await one.approve("Fern & Field");
    const again = await one.approve("Fern & Field");
    expect([again.status, again.location]).toEqual([302, first.location]);
    expect((await committed(one)).events).toEqual(["approve"]);
    const code = codeIn(first);
    const answer = await exchange(one, code);
    expect(answer.status).toBe(200);
  });

  test("sent many times at once leads to one code", async () => {
    const one = await asked();
    const before = await keysOf(fixture.replicas.redis, "oauth:AuthorizationCode:*");
    const pages = await Promise.all(Array.from({ length: 12 }, () => one.approve("Mill")));
    expect(pages.map(({ status }) => status)).toEqual(Array(12).fill(302));
    expect(new Set(pages.map(({ location }) => location)).size).toBe(1);
    const after = await keysOf(fixture.replicas.redis, "oauth:AuthorizationCode:*");
    expect(after.filter((key) => !before.includes(key))).toEqual([`oauth:AuthorizationCode:${hash(codeIn(pages[0]))}`]);
  });

  test("declining again leads to the same refusal", async () => {
    const one = await asked();
    const first = await one.decline();
    expect((await one.decline()).location).toBe(first.location);
  });

  test("has ended once its code was redeemed and half of the grace is over: a replay after it would end the connection", async () => {
    const one = await asked();
    const first = await one.approve("Fern & Field");
    const code = codeIn(first);
    expect((await exchange(one, code)).status).toBe(200);
    await expect.poll(async () => (await one.approve("Fern & Field")).status, { timeout: 10_000 }).toBe(404);
    expectEnded(await one.approve("Fern & Field"));
    expect((await committed(one)).events).toEqual(["approve", "exchange"]);
  });

  test("has ended once its code's time is over, and makes no second one", async () => {
    const one = await asked();
    const first = await one.approve("Fern & Field");
    const code = codeIn(first);
    // As its five minutes do.
    expect(await fixture.replicas.redis.del(`oauth:AuthorizationCode:${hash(code)}`)).toBe(1);
    expectEnded(await one.approve("Fern & Field"));
    expect((await exchange(one, code)).body.error).toBe("invalid_grant");
  });

  test("completes what a crash between commit and code has left, with the same code [decision.once]", async () => {
    const one = await asked();
    const first = await one.approve("Fern & Field");
    const code = codeIn(first);
    const { redis: store } = fixture.replicas;
    await store.del(`oauth:AuthorizationCode:${hash(code)}`);
    for (const key of await keysOf(store, "oauth:decision:*")) await store.hdel(key, "done");
    expect((await one.browser.open(one.path)).forms[0]?.buttons.map(({ text }) => text)).toContain("Approve");
    expectEnded(await one.approve("Blue Cup"));
    expectEnded(await one.decline());
    expect((await one.approve("Fern & Field")).location).toBe(first.location);
    expect((await exchange(one, code)).status).toBe(200);
  });
});

describe("what Postgres did not commit", () => {
  test("because it did not answer, is committed by the same decision sent again, and by no other", async () => {
    const one = await asked();
    await fixture.replicas.sql.begin(async (transaction) => {
      await transaction`LOCK TABLE oauth.connections IN SHARE MODE`;
      expect((await one.approve("Fern & Field")).status).toBe(503);
    });
    expectEnded(await one.decline());
    expectEnded(await one.approve("Blue Cup"));
    expect((await one.approve("Fern & Field")).location).toContain("code=");
    expect((await committed(one)).shops).toEqual([one.shops["Fern & Field"]]);
  });

  test("because an operator held the connection at that moment, can still be decided otherwise", async () => {
    const one = await asked();
    const { sql } = fixture.replicas;
    let answer: Promise<Page> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`
        INSERT INTO oauth.connections (shop_id, client_id, status, disabled, grant_id, scope, merchant_id, connected_at)
        VALUES (${one.shops["Mill"] ?? ""}, ${one.client.clientId}, 'connected', true, 'g', '{responses:read}',
                ${one.merchant.id}, now())`;
      answer = one.approve("Mill");
      const isWaiting = async () => {
        // On a cluster it waits for the shop's node, which waits for the lock.
        const rows = await sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND wait_event_type IN ('Lock', 'Client') AND query LIKE '%INSERT INTO oauth.connections%'`;
        return rows.length > 0;
      };
      await expect.poll(isWaiting, { timeout: 10_000, interval: 5 }).toBe(true);
    });
    expect((await answer)?.status).toBe(409);
    expect((await one.approve("Nook")).location).toContain("code=");
    expect((await committed(one)).events).toEqual(["approve"]);
  });
});

function exchange(one: Asked, code: string) {
  const [app = expect.fail("no replica")] = fixture.replicas.apps;
  return exchangeCode(app, one.client, { code, codeVerifier: VERIFIER, grantId: "" });
}

function codeIn(page: Page | undefined): string {
  return new URL(page?.location ?? "").searchParams.get("code") ?? "";
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
