import { afterEach, expect, test } from "vitest";
import { merchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { merchantFixture, offered } from "../testing/merchant-fixture.ts";
import { type Replicas, startReplicas } from "../testing/replicas.ts";

let replicas: Replicas;
afterEach(() => replicas.stop());

const start = async (environment: Record<string, string> = {}) => {
  replicas = await startReplicas(2, {
    AUTHORIZE_RATE_LIMIT: "30",
    TOKEN_RATE_LIMIT: "10",
    TRUSTED_PROXIES: "127.0.0.1/32",
    ...environment,
  });
};

/** A request that the gateway passes on from `ip`. */
const from = (ip: string, url: string, method: "GET" | "POST" | "HEAD" = "GET", replica = 0) =>
  replicas.app(replica).inject({ method, url, headers: { "x-forwarded-for": ip } });

/** An address that no other test uses, because all tests share one Redis. */
const address = () =>
  `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

type Call = readonly [url: string, method: "GET" | "POST"];
const TOKEN: Call = ["/oauth/api/token", "POST"];

/** Uses up an address's minute on both replicas in turn. Returns the seconds until each reset. */
async function useUp(ip: string, limit: number, calls: readonly Call[]): Promise<number[]> {
  const resets: number[] = [];
  for (let used = 1; used <= limit; used++) {
    const [url, method] = calls[used % calls.length] ?? expect.fail();
    const { statusCode, headers } = await from(ip, url, method, used % 2);
    const counted = [statusCode, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]];
    expect(counted).toEqual([401, String(limit), String(limit - used)]);
    resets.push(Number(headers["x-ratelimit-reset"]));
  }
  return resets;
}

test("token and batch requests share a limit of 10 a minute per address over all replicas", async () => {
  await start({ LOG_LEVEL: "info" });
  const ip = address();
  const reset = await useUp(ip, 10, [["/oauth/api/token/batch", "POST"], TOKEN, TOKEN]);
  expect(reset.every((seconds) => seconds > 0 && seconds <= 60)).toBe(true);
  const refused = await from(ip, "/oauth/api/token", "POST");
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ error: "too_many_requests" });
  expect(replicas.records.at(-1)).toMatchObject({
    status: 429,
    reason: "rate_limited",
    limit: "token",
  });
  expect(refused.headers["x-ratelimit-remaining"]).toBe("0");
  expect(refused.headers["retry-after"]).toBe(refused.headers["x-ratelimit-reset"]);
  expect((await from(ip, "/oauth/api/token", "HEAD")).statusCode).toBe(429);
  expect((await from(address(), "/oauth/api/token", "POST")).statusCode).toBe(401);
});

test("connections, changes and revocations share one limit per address over all replicas, separate from token requests", async () => {
  await start({ API_RATE_LIMIT: "6" });
  const ip = address();
  const calls = [
    ["/oauth/api/connections", "GET"],
    ["/oauth/api/changes", "GET"],
    ["/oauth/api/revoke", "POST"],
  ] as const;
  await useUp(ip, 6, calls);
  for (const [url, method] of calls) {
    const refused = await from(ip, url, method);
    expect([refused.statusCode, refused.json()]).toEqual([429, { error: "too_many_requests" }]);
    expect((await from(address(), url, method)).statusCode).toBe(401);
  }
  expect((await from(ip, "/oauth/api/token", "POST")).statusCode).toBe(401);
});

test("the 31st authorization request of an address within a minute gets a 429 page", async () => {
  await start();
  const ip = address();
  for (let used = 1; used <= 30; used++) {
    const { statusCode, headers } = await from(ip, "/oauth/api/authorize");
    expect([statusCode, headers["x-ratelimit-remaining"]]).toEqual([400, String(30 - used)]);
  }
  const refused = await from(ip, "/oauth/api/authorize");
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await from(ip, "/oauth/api/token", "POST")).statusCode).toBe(401);
});

test("decisions are rate-limited per address, separately from authorization requests", async () => {
  const fixture = await merchantFixture({
    replicas: 2,
    env: { AUTHORIZE_RATE_LIMIT: "3", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  replicas = fixture.replicas;
  const ip = address();
  const merchant = await fixture.registerMerchant();
  await fixture.registerShop("A shop", "standard", merchant);
  const decline = async (): Promise<Page> => {
    const browser = fixture.browser(address());
    const { page } = await fixture.consent(browser, merchant);
    const pressing = merchantBrowser(replicas.apps, ip);
    for (const [name, value] of browser.cookies) pressing.cookies.set(name, value);
    return await pressing.press(page, "Decline");
  };
  for (let used = 1; used <= 3; used++) {
    const { location, headers } = await decline();
    expect(location).toContain("error=access_denied");
    expect([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([
      "3",
      String(3 - used),
    ]);
  }
  const refused = await decline();
  expect([refused.status, refused.location]).toEqual([429, null]);
  expect(refused.html).toContain("Too many requests");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await from(ip, "/oauth/api/authorize")).headers["x-ratelimit-remaining"]).toBe("2");
});

test("a repeated decision gets the same response, and doesn't count against the rate limit", async () => {
  const fixture = await merchantFixture({
    env: { AUTHORIZE_RATE_LIMIT: "2", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  replicas = fixture.replicas;
  const merchant = await fixture.registerMerchant();
  await fixture.registerShop("A shop", "standard", merchant);
  const browser = fixture.browser(address());
  const { page } = await fixture.consent(browser, merchant);
  const approve = () => browser.press(page, "Approve", { shop: offered(page, "A shop") });
  const { location } = await approve();
  expect(location).toContain("code=");
  for (let again = 0; again < 5; again++) expect((await approve()).location).toBe(location);
  const second = await browser.press((await fixture.consent(browser, merchant)).page, "Decline");
  expect(second.headers["x-ratelimit-remaining"]).toBe("0");
});

test("rate limits count an IPv6 /64 as one address", async () => {
  await start({ TOKEN_RATE_LIMIT: "2" });
  const network = `2001:db8:${Math.floor(Math.random() * 65536).toString(16)}:1`;
  expect((await from(`${network}::1`, "/oauth/api/token", "POST")).statusCode).toBe(401);
  expect((await from(`${network}:ffff::2`, "/oauth/api/token", "POST")).statusCode).toBe(401);
  expect((await from(`${network}::3`, "/oauth/api/token", "POST")).statusCode).toBe(429);
  expect((await from(`${network.slice(0, -1)}2::1`, "/oauth/api/token", "POST")).statusCode).toBe(
    401,
  );
});

test("rate limits use only the last address in X-Forwarded-For", async () => {
  await start({ TOKEN_RATE_LIMIT: "2" });
  const ip = address();
  for (const spoofed of ["1.1.1.1", "2.2.2.2"])
    await from(`${spoofed}, ${ip}`, "/oauth/api/token", "POST");
  expect((await from(`3.3.3.3, ${ip}`, "/oauth/api/token", "POST")).statusCode).toBe(429);
});

test("rate limits ignore X-Forwarded-For from a proxy that is not configured", async () => {
  await start({ TRUSTED_PROXIES: "10.0.0.0/8", TOKEN_RATE_LIMIT: "1" });
  const remoteAddress = address();
  const call = async () => {
    const headers = { "x-forwarded-for": address() };
    const options = { method: "POST", url: "/oauth/api/token", headers, remoteAddress } as const;
    return (await replicas.app().inject(options)).statusCode;
  };
  expect([await call(), await call()]).toEqual([401, 429]);
});
