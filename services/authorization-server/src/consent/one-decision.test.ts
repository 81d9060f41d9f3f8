import { createHash } from "node:crypto";
import { waitingSessions } from "@partner-connect/database/testing";
import { expect, test } from "vitest";
import { atCommit } from "../testing/at-commit.ts";
import { expectPage, type MerchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";
import type { RegisteredClient } from "../testing/replicas.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const SHOPS = ["Fern & Field", "Blue Cup", "Mill", "Nook"];
const VERIFIER = "v".repeat(43);
const codeChallenge = createHash("sha256").update(VERIFIER).digest("base64url");

const fixture = await suiteFixture({ replicas: 2, ownRedis: true, env: { LOG_LEVEL: "info" } });
const { sql } = fixture.replicas;

type Asked = Awaited<ReturnType<typeof askedOf>>;

/** Registers a merchant with four shops and a client, and opens the consent page. */
async function asked(): Promise<Asked> {
  const merchant = await fixture.registerMerchant();
  const client = await fixture.replicas.registerClient();
  const shops: Record<string, string> = {};
  for (const name of SHOPS) shops[name] = await fixture.registerShop(name, "standard", merchant);
  return await askedOf({ merchant, client, browser: fixture.browser(), shops });
}

/** The client asks the merchant, for the first time or again. */
async function askedOf(one: {
  readonly merchant: TestMerchant;
  readonly client: RegisteredClient;
  readonly browser: MerchantBrowser;
  /** The shops' ids by name. */
  readonly shops: Readonly<Record<string, string>>;
}) {
  const { browser, client, merchant } = one;
  const { path, page } = await fixture.consent(browser, merchant, {
    clientId: client.clientId,
    codeChallenge,
  });
  return {
    ...{ ...one, path, page },
    approve: (shop: string) => browser.press(page, "Approve", { shop: offered(page, shop) }),
    decline: () => browser.press(page, "Decline"),
  };
}

/** The committed state of the client: the shops of its connections, and all events. */
async function committed({ client, shops }: Asked) {
  const ids = Object.values(shops);
  const rows =
    await sql`SELECT shop_id FROM oauth.connections WHERE shop_id = ANY(${ids}) AND client_id = ${client.clientId}`;
  const events =
    await sql`SELECT event FROM oauth.audit_log WHERE shop_id = ANY(${ids}) ORDER BY id`;
  return { shops: rows.map((row) => row["shop_id"]), events: events.map((row) => row["event"]) };
}

/** The merchant who approved sees that it is done; others see that the request has ended. */
function expectEnded(page: Page): void {
  const isDone = /<h1>Already (?:approved|connected)</.test(page.html);
  expect([page.status, page.location]).toEqual([isDone ? 200 : 404, null]);
  expect(isDone || page.html.includes("This request has ended")).toBe(true);
}

/** The response to a button, which is pressed again after each 503 of a busy machine. */
async function untilServed(press: () => Promise<Page>): Promise<Page> {
  for (;;) {
    const page = await press();
    if (page.status !== 503) return page;
  }
}

test.each([
  ["approving one shop, going back and approving another", "Fern & Field", "Blue Cup"],
  ["approving, going back and declining", "Fern & Field", null],
  ["declining, going back and approving", null, "Fern & Field"],
])(
  "after %s, only the first decision is committed and sent to the client",
  async (_, first, second) => {
    const one = await asked();
    const decide = (shop: string | null) => (shop === null ? one.decline() : one.approve(shop));
    expect((await decide(first)).location).toContain(
      first === null ? "error=access_denied" : "code=",
    );
    expectEnded(await decide(second));
    expectEnded(await one.browser.open(one.path));
    expectEnded(await one.browser.press(one.page, "Approve", { shop: "" }));
    expect(fixture.replicas.records.at(-1)).not.toHaveProperty("outcome");
    const nothing = { shops: [], events: [] };
    expect(await committed(one)).toEqual(
      first === null ? nothing : { shops: [one.shops[first]], events: ["approve"] },
    );
  },
);

test("of 60 concurrent decisions over two replicas, only the first is committed, and its repetitions get the same redirect", async () => {
  for (let round = 0; round < 3; round += 1) {
    const one = await asked();
    const answers = Array.from({ length: 60 }, (_, n) => {
      const shop = SHOPS[(n + round) % 5];
      return untilServed(() => (shop === undefined ? one.decline() : one.approve(shop)));
    });
    const pages = await Promise.all(answers);
    const counted = pages.filter(({ status }) => status === 302);
    expect(counted).toHaveLength(12);
    expect(new Set(counted.map(({ location }) => location)).size).toBe(1);
    for (const page of pages) if (page.status !== 302) expectEnded(page);
    const { shops, events } = await committed(one);
    const isDeclined = counted[0]?.location?.includes("error=access_denied");
    expect(shops).toHaveLength(isDeclined ? 0 : 1);
    expect(new Set(events)).toEqual(new Set(isDeclined ? [] : ["approve"]));
  }
}, 60_000);

test("a repeated decline gets the same redirect as the first decline", async () => {
  const one = await asked();
  const first = await one.decline();
  expect((await one.decline()).location).toBe(first.location);
});

test("30 seconds after the code was exchanged, a repeated approval gets the page 'Already connected' instead of the code", async () => {
  const one = await asked();
  const first = await one.approve("Fern & Field");
  expect((await exchange(one, codeIn(first))).status).toBe(200);
  const exchangedSecondsAgo = (seconds: number) => sql`
      UPDATE oauth.connections SET exchanged_at = now() - make_interval(secs => ${seconds}) WHERE client_id = ${one.client.clientId}`;
  await exchangedSecondsAgo(25);
  expect((await one.approve("Fern & Field")).location).toBe(first.location);
  await exchangedSecondsAgo(31);
  for (const page of [await one.approve("Fern & Field"), await one.browser.open(one.path)]) {
    expectPage(page, 200, "<h1>Already connected</h1>");
    expect(fixture.replicas.records.at(-1)).not.toHaveProperty("reason");
  }
  expect((await committed(one)).events).toEqual(["approve", "exchange"]);
});

test("a decision whose code has expired can be neither repeated nor replaced by an approval of another shop", async () => {
  const one = await asked();
  const first = await one.approve("Fern & Field");
  const { redis } = fixture.replicas;
  await redis.del(`oauth:AuthorizationCode:${hash(codeIn(first))}`);
  await sql`UPDATE oauth.decisions SET decided_at = ${secondsAgo(301)}`;
  expectEnded(await one.approve("Fern & Field"));
  await sql`UPDATE oauth.decisions SET decided_at = ${secondsAgo(3599)}`;
  expectEnded(await one.approve("Blue Cup"));
  expect((await committed(one)).events).toEqual(["approve"]);
  expect((await exchange(one, codeIn(first))).body.error).toBe("invalid_grant");
});

test("after a crash between commit and code, a repeated approval issues the same code with the remaining lifetime", async () => {
  const one = await asked();
  const first = await one.approve("Fern & Field");
  const key = `oauth:AuthorizationCode:${hash(codeIn(first))}`;
  const { redis } = fixture.replicas;
  await redis.del(key);
  await sql`UPDATE oauth.decisions SET decided_at = ${secondsAgo(200)}`;
  expectEnded(await one.approve("Blue Cup"));
  expectEnded(await one.decline());
  expect((await one.approve("Fern & Field")).location).toBe(first.location);
  expect(await redis.ttl(key)).toBeLessThanOrEqual(100);
  expect((await exchange(one, codeIn(first))).status).toBe(200);
});

test("a repeated approval is refused once the connection was revoked", async () => {
  const one = await asked();
  await one.approve("Fern & Field");
  await sql`UPDATE oauth.connections SET status = 'revoked' WHERE client_id = ${one.client.clientId}`;
  expectEnded(await one.approve("Fern & Field"));
});

test.each([
  ["decline", (one: Asked) => one.decline(), "error=access_denied", []],
  ["approve another shop", (one: Asked) => one.approve("Blue Cup"), "code=", ["approve"]],
  ["approve the shop again", (one: Asked) => one.approve("Fern & Field"), "code=", ["approve"]],
])(
  "after an approval that Postgres did not commit, the merchant can still %s",
  async (_, decide, told, events) => {
    const one = await asked();
    await sql.begin(async (transaction) => {
      await transaction`LOCK TABLE oauth.connections IN SHARE MODE`;
      expect((await one.approve("Fern & Field")).status).toBe(503);
    });
    expect((await decide(one)).location).toContain(told);
    expectEnded(await one.approve("Mill"));
    expect((await committed(one)).events).toEqual(events);
  },
);

const inCommit = async () =>
  await sql<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;

test.each([
  ["a new connection", false],
  ["a connection that is approved again", true],
])(
  "an authorization can still be decided after Postgres lost the session during the commit of %s",
  async (_, isConnected) => {
    let one = await asked();
    if (isConnected) {
      expect((await one.approve("Mill")).status).toBe(302);
      one = await askedOf(one);
    }
    const { events } = await committed(one);
    const mend = await atCommit(sql, "PERFORM pg_sleep(30)");
    const approval = one.approve("Mill");
    await expect.poll(inCommit, { timeout: 10_000, interval: 5 }).toHaveLength(1);
    for (const { pid } of await inCommit()) await sql`SELECT pg_terminate_backend(${pid})`;
    expect((await approval.finally(mend)).status).toBe(503);
    expect(await committed(one)).toEqual({
      shops: isConnected ? [one.shops["Mill"]] : [],
      events,
    });
    expect((await one.decline()).location).toContain("error=access_denied");
    expectEnded(await one.approve("Mill"));
  },
);

test("a decline waits for the commit of an approval, and then changes nothing", async () => {
  const one = await asked();
  const mend = await atCommit(sql, "PERFORM pg_sleep(1)");
  const approval = one.approve("Mill");
  await expect.poll(inCommit, { timeout: 10_000, interval: 5 }).toHaveLength(1);
  expectEnded(await one.decline());
  expect((await approval).location).toContain("code=");
  await mend();
  expect((await committed(one)).events).toEqual(["approve"]);
});

test("if a new hold on a connection prevents the approval, the merchant can approve another shop", async () => {
  const one = await asked();
  let answer: Promise<Page> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`
        INSERT INTO oauth.connections (shop_id, client_id, status, disabled, grant_id, scope, merchant_id, connected_at)
        VALUES (${one.shops["Mill"] ?? ""}, ${one.client.clientId}, 'connected', true, 'g', '{responses:read}',
                ${one.merchant.id}, now())`;
    answer = one.approve("Mill");
    await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
  });
  expect((await answer)?.status).toBe(409);
  const held = await one.approve("Mill");
  expectPage(held, 422, "Paused by Partner Connect.");
  expect((await one.approve("Nook")).location).toContain("code=");
  expect((await committed(one)).events).toEqual(["approve"]);
});

function exchange(one: Asked, code: string) {
  return exchangeCode(fixture.replicas.app(), one.client, {
    code,
    codeVerifier: VERIFIER,
    grantId: "",
  });
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}

function codeIn(page: Page | undefined): string {
  return new URL(page?.location ?? "").searchParams.get("code") ?? "";
}

function hash(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
