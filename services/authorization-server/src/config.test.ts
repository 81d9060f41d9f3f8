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

test("what nobody sets is as in the spec: lifetimes, and requests a minute [lifetimes.defaults]", () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    tokens: {
      accessTokenTtl: 900,
      authorizationCodeTtl: 5 * 60,
      refreshTokenTtl: 30 * 24 * 60 * 60,
      audience: "https://connect.example/api",
    },
    rateLimits: { authorize: 30, token: 10 },
    http: { trustedProxies: [] },
  });
});

test("help, privacy policy and terms are linked to if they are set", () => {
  expect(readConfig(REQUIRED).links).toEqual({ help: null, privacy: null, terms: null });
  const links = {
    HELP_URL: "https://a.example/h",
    PRIVACY_URL: "https://a.example/p",
    TERMS_URL: "https://a.example/t",
  };
  expect(readConfig({ ...REQUIRED, ...links }).links).toEqual({
    help: "https://a.example/h",
    privacy: "https://a.example/p",
    terms: "https://a.example/t",
  });
  expect(() => readConfig({ ...REQUIRED, HELP_URL: "help" })).toThrow("HELP_URL is not an https URL");
});

test("every variable that is missing or malformed is named at once", () => {
  const wrong = { ...REQUIRED, PORT: undefined, TOKEN_RATE_LIMIT: "ten", PUBLIC_BASE_URL: "connect.example" };
  expect(() => readConfig(wrong)).toThrow(
    "PUBLIC_BASE_URL is not an https URL; PORT is not set; TOKEN_RATE_LIMIT is not a whole number from 1: ten",
  );
});

test.each([
  "https://connect.example",
  "http://localhost:8080",
  "http://auth.localhost:8080",
  "http://127.0.0.1:8080",
  "http://127.4.5.6",
  "http://[::1]:8080",
])("%s is a public base URL", (url) => {
  expect(readConfig({ ...REQUIRED, PUBLIC_BASE_URL: url }).tokens.issuer).toBe(url);
});

test.each([
  "http://connect.example",
  "http://localhost.example",
  "http://127.0.0.1.example",
  "http://10.0.0.1",
  "http://0.0.0.0:8080",
])("%s is refused: by plain HTTP passwords and tokens could be read on their way [http.tls-only]", (url) => {
  const why =
    "PUBLIC_BASE_URL is http, which sends passwords and tokens unencrypted; it must be https, except on localhost";
  expect(() => readConfig({ ...REQUIRED, PUBLIC_BASE_URL: url })).toThrow(why);
});

test("a public base URL of another kind is refused", () => {
  expect(() => readConfig({ ...REQUIRED, PUBLIC_BASE_URL: "ftp://localhost" })).toThrow(
    "PUBLIC_BASE_URL is not an https URL",
  );
});
