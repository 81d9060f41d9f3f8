import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { freshRedis, keysOf, type TestRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atCommit } from "../../testing/at-commit.ts";
import type { MerchantBrowser, Page } from "../../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, offered, type TestMerchant } from "../../testing/merchant-fixture.ts";
import type { RegisteredClient } from "../../testing/replicas.ts";
import { exchangeCode } from "../../testing/token-calls.ts";
import { approvalWaits } from "../../testing/waiting-approval.ts";

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
  return await askedOf({ merchant, client, browser: fixture.browser(), shops });
}

/** The client asks the merchant, once more if it has done so before. */
async function askedOf(one: Pick<Asked, "merchant" | "client" | "browser" | "shops">): Promise<Asked> {
  const { browser, client, merchant } = one;
  const { path, page } = await fixture.consent(browser, merchant, { clientId: client.clientId, codeChallenge });
  return {
    ...{ ...one, path, page },
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

  test("of 50 different answers at once over two replicas exactly one is committed, and told alike to all who gave it", async () => {
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

  test("of an approval and a refusal at once one is told, and it is the one that is true", async () => {
    const told = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      const one = await asked();
      // A decline has less to do: it comes later by steps of a millisecond.
      const later = async () => await pause(round).then(one.decline);
      const pages = await Promise.all([one.approve("Nook"), later()]);
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
  test("leads to the same code and state, and commits nothing a second time", async () => {
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

  test("completes what a crash between commit and code has left, with the same code", async () => {
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
  test.each([
    ["declined", (one: Asked) => one.decline(), "error=access_denied", []],
    ["decided otherwise", (one: Asked) => one.approve("Blue Cup"), "code=", ["approve"]],
    ["approved again", (one: Asked) => one.approve("Fern & Field"), "code=", ["approve"]],
  ])("because it did not answer, can be %s, and then counts", async (_, decide, told, events) => {
    const one = await asked();
    await fixture.replicas.sql.begin(async (transaction) => {
      await transaction`LOCK TABLE oauth.connections IN SHARE MODE`;
      expect((await one.approve("Fern & Field")).status).toBe(503);
    });
    expect((await decide(one)).location).toContain(told);
    expectEnded(await one.approve("Mill"));
    expect((await committed(one)).events).toEqual(events);
  });

  test("before a fault was told, is not committed after it", async () => {
    const one = await asked();
    const { sql } = fixture.replicas;
    const shopId = one.shops["Mill"] ?? "";
    expect((await one.approve("Mill")).status).toBe(302);
    const again = await askedOf(one);
    // Each statement gets its lock before it times out; both together take longer than a page waits.
    const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const row = sql.begin(async (connections) => {
      await connections`SELECT FROM oauth.connections WHERE shop_id = ${shopId} FOR UPDATE`;
      locked.resolve();
      await over.promise;
    });
    await locked.promise;
    const answer = again.approve("Mill");
    await approvalWaits(sql).catch(over.reject);
    await sql.begin(async (members) => {
      await members`LOCK TABLE directory.memberships IN ACCESS EXCLUSIVE MODE`;
      await pause(1200);
      over.resolve();
      await row;
      expect((await answer).status).toBe(503);
    });
    // Once the late approval has let go of the row.
    await sql`SELECT FROM oauth.connections WHERE shop_id = ${shopId} FOR UPDATE`;
    expect((await committed(one)).events).toEqual(["approve"]);
    expect((await again.decline()).location).toContain("error=access_denied");
  });

  // Citus takes no triggers on tables that are distributed.
  describe.skipIf(process.env["CITUS_URL"])("at the very commit", () => {
    test.each([
      ["a new connection", false],
      ["a connection that is approved again", true],
    ])("of %s, is ended by a decline", async (_, isConnected) => {
      let one = await asked();
      if (isConnected) {
        expect((await one.approve("Mill")).status).toBe(302);
        one = await askedOf(one);
      }
      const { events } = await committed(one);
      const mend = await atCommit(fixture.replicas.sql, "RAISE EXCEPTION USING ERRCODE = 'admin_shutdown'");
      const failed = await one.approve("Mill").finally(mend);
      expect(failed.status).toBe(503);
      expectEnded(await one.approve("Blue Cup"));
      expect((await one.decline()).location).toContain("error=access_denied");
      expectEnded(await one.approve("Mill"));
      expect(await committed(one)).toEqual({ shops: isConnected ? [one.shops["Mill"]] : [], events });
    });

    test("is waited for by a decline, which then changes nothing", async () => {
      const one = await asked();
      const before = await keysOf(fixture.replicas.redis, "oauth:decision:*");
      const mend = await atCommit(fixture.replicas.sql, "PERFORM pg_sleep(1)");
      const approval = one.approve("Mill");
      const records = () => keysOf(fixture.replicas.redis, "oauth:decision:*");
      await expect.poll(records, { timeout: 10_000, interval: 5 }).toHaveLength(before.length + 1);
      expectEnded(await one.decline());
      expect((await approval).location).toContain("code=");
      await mend();
      expect((await committed(one)).events).toEqual(["approve"]);
    });
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
      await approvalWaits(sql);
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
