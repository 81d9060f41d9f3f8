import { describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const { port } = new URL(stack.base_url);
const OAUTH = [
  "/oauth/api/authorize",
  "/oauth/api/jwks",
  "/.well-known/oauth-authorization-server",
  "/oauth/sign-in",
  "/docs",
  "/docs/errors",
  "/llms.txt",
  "/",
];
const API = [
  "/api/responses",
  "/api/questions",
  "/api/sources",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/api",
];

async function isServed(base: string, path: string): Promise<boolean> {
  const { status, text } = await send(`${base}${path}`);
  if (status !== 404) return true;
  expect(text).toBe('{"error":"not_found"}');
  return false;
}

describe("three hosts behind one gateway", () => {
  test.each([...OAUTH, ...API])("the base host serves %s", async (path) => {
    expect(await isServed(stack.base_url, path)).toBe(true);
  });

  test.each(OAUTH)("the auth host serves %s, and the API host does not", async (path) => {
    expect([await isServed(stack.auth_url, path), await isServed(stack.api_url, path)]).toEqual([true, false]);
  });

  test.each(API)("the API host serves %s, and the auth host does not", async (path) => {
    expect([await isServed(stack.api_url, path), await isServed(stack.auth_url, path)]).toEqual([true, false]);
  });

  test.each([
    "evil.example",
    "api.localhost.evil.example",
    "localhost.evil.example",
    "x.auth.localhost",
    "",
    "__proto__",
  ])("the unknown host %j serves nothing", async (host) => {
    for (const path of ["/", ...OAUTH, ...API]) {
      const { status } = await send(`${stack.base_url}${path}`, { headers: { host: host && `${host}:${port}` } });
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test.each([
    ["auth_url", "/oauth/../api/responses"],
    ["auth_url", "/oauth/%2e%2e/api/responses"],
    ["auth_url", "//api/responses"],
    ["auth_url", "/oauth/..%2fapi/responses"],
    ["api_url", "/api/../oauth/api/jwks"],
    ["api_url", "/api/%2e%2e/oauth/api/jwks"],
    ["api_url", "/api/..%5coauth/api/jwks"],
    ["base_url", "/livez"],
    ["base_url", "/readyz"],
    ["base_url", "/metrics"],
    ["base_url", "/api/../metrics"],
    ["base_url", "/apiresponses"],
    ["base_url", "/oauth"],
    ["base_url", "/docsx"],
    ["api_url", "/docs/../api/none"],
  ] as const)("%s%s leads nowhere", async (host, path) => {
    const { status, text } = await send(`${stack[host]}${path}`);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain("keys");
  });

  test("a host in capitals or with another port is the same host", async () => {
    const path = "/oauth/api/jwks";
    for (const host of [`LOCALHOST:${port}`, "localhost", "localhost:1", `Auth.Localhost:${port}`]) {
      expect((await send(`${stack.base_url}${path}`, { headers: { host } })).status).toBe(200);
    }
  });
});
