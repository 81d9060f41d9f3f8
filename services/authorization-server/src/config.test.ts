import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const REQUIRED = {
  PORT: "0",
  INTERNAL_PORT: "0",
  DATABASE_URL: "postgres://localhost/partner_connect",
  REDIS_URL: "redis://localhost",
  PUBLIC_BASE_URL: "https://connect.example",
  SIGNING_KEYS_FILE: "/keys.json",
};

test("what nobody sets is as in the spec: lifetimes, and requests a minute", () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    accessTokenTtl: 900,
    authorizationCodeTtl: 5 * 60,
    refreshTokenTtl: 30 * 24 * 60 * 60,
    authorizeRateLimit: 30,
    tokenRateLimit: 10,
    audience: "https://connect.example/api",
    trustedProxies: [],
  });
});

test("every variable that is missing or malformed is named at once", () => {
  const wrong = { ...REQUIRED, PORT: undefined, TOKEN_RATE_LIMIT: "ten", PUBLIC_BASE_URL: "connect.example" };
  expect(() => readConfig(wrong)).toThrow(/PORT/);
  expect(() => readConfig(wrong)).toThrow(/TOKEN_RATE_LIMIT/);
  expect(() => readConfig(wrong)).toThrow(/PUBLIC_BASE_URL/);
});
