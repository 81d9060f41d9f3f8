import { freshRedis, keysOf } from "@partner-connect/service-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { authorizationUrl, REDIRECT_URI, suiteReplicas } from "../testing/replicas.ts";

const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
afterAll(() => redis.drop());
const replicas = await suiteReplicas(1, {}, redis.url);
const client = await replicas.registerClient();

const { app } = replicas;

const authorizeUrl = (change: Record<string, string> = {}) =>
  authorizationUrl(client.clientId, { state: "s t", ...change });

test("GET authorize redirects a valid request to the authorization page on the same host", async () => {
  for (const host of ["connect.example", "auth.connect.example"]) {
    const response = await app().inject({ url: authorizeUrl(), headers: { host } });
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toMatch(/^\/oauth\/authorization\?request=\w+\.[\w-]{200,}$/);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.headers["x-ratelimit-limit"]).toBe("1000000");
    expect(response.headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
    expect([response.headers["set-cookie"]].flat()).toEqual([
      expect.stringMatching(
        /^__Host-merchant_authorization_\w+=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  }
});

test("GET authorize and its authorization page store nothing in Redis except rate-limit counts", async () => {
  const { headers } = await app().inject({ url: authorizeUrl() });
  const [cookie = ""] = String(headers["set-cookie"]).split(";");
  const page = await app().inject({ url: headers.location ?? "", headers: { cookie } });
  expect(page.statusCode).toBe(200);
  const keys = await keysOf(replicas.redis, "*");
  expect(keys.filter((key) => !key.startsWith("rate-limit:"))).toEqual([]);
});

test("GET authorize redirects an invalid request by 302 to the redirect_uri with error, state and iss", async () => {
  const response = await app().inject({ url: authorizeUrl({ scope: "openid" }) });
  expect(response.statusCode).toBe(302);
  const location = new URL(response.headers.location ?? "");
  expect(location.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    error: "invalid_request",
    error_description:
      "scope openid is not allowed; this client may request responses:read sources:write",
    state: "s t",
    iss: "https://connect.example",
  });
});

test("GET authorize with an unregistered redirect_uri gets a 400 page that escapes the URI, without a redirect", async () => {
  const url = authorizeUrl({ redirect_uri: `${REDIRECT_URI}/<script>alert(1)</script>` });
  const response = await app().inject({ url, headers: { accept: "text/html" } });
  expect(response.statusCode).toBe(400);
  expect(response.headers.location).toBeUndefined();
  expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(response.body).toContain("is not registered");
  expect(response.body).toContain(String(response.headers["x-request-id"]));
  expect(response.body).not.toContain("<script>");
});

test.each(["HEAD", "POST"] as const)(
  "%s on the authorize endpoint gets 405, with the rate limit of GET and without a cookie",
  async (method) => {
    const response = await app().inject({ method, url: authorizeUrl() });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe("GET");
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect(response.headers["x-ratelimit-limit"]).toBe("1000000");
  },
);
