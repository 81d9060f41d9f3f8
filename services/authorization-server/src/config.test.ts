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

test("the default lifetimes and rate limits are the values of the spec", () => {
  expect(readConfig(REQUIRED)).toMatchObject({
    tokens: {
      accessTokenTtl: 900,
      authorizationCodeTtl: 5 * 60,
      refreshTokenTtl: 30 * 24 * 60 * 60,
      audience: "https://connect.example/api",
    },
    rateLimits: { authorize: 30, token: 10 },
    env: { TRUSTED_PROXIES: [] },
  });
});

test("without HELP_URL, the help link leads to our own page and the contact link to SUPPORT_URL", () => {
  const unset = { help: "/help", contact: null, privacy: null, terms: null };
  expect(readConfig(REQUIRED).links).toEqual(unset);
  const [help, privacy, terms] = ["h", "p", "t"].map((page) => `https://a.example/${page}`);
  const links = { HELP_URL: help, PRIVACY_URL: privacy, TERMS_URL: terms };
  const all = { help, contact: help, privacy, terms };
  expect(readConfig({ ...REQUIRED, ...links }).links).toEqual(all);
  const support = "mailto:help@a.example";
  const shared = { ...REQUIRED, SUPPORT_URL: support };
  expect(readConfig(shared).links).toEqual({ ...unset, contact: support });
});

test("SUPPORT_URL must be an https page or a mail address", () => {
  expect(readConfig(REQUIRED).supportUrl).toBe(null);
  for (const url of ["https://a.example/partners?a=1", "mailto:partners@a.example"]) {
    expect(readConfig({ ...REQUIRED, SUPPORT_URL: url }).supportUrl).toBe(url);
  }
  const others =
    "a@a.example mailto: mailto:a@a.example?bcc=b http://a.example javascript:alert(1)";
  const problem = "SUPPORT_URL is not an https URL, nor mailto:";
  for (const url of others.split(" "))
    expect(() => readConfig({ ...REQUIRED, SUPPORT_URL: url }), url).toThrow(problem);
});

test("the settings of an OpenID provider are required together", () => {
  expect(readConfig(REQUIRED).openId).toBe(null);
  const openId = {
    OIDC_ISSUER: "https://accounts.example/",
    OIDC_CLIENT_ID: "partner-connect",
    OIDC_CLIENT_SECRET: "s",
    OIDC_NAME: "Surveyor",
  };
  expect(readConfig({ ...REQUIRED, ...openId }).openId).toEqual({
    issuer: "https://accounts.example/",
    clientId: "partner-connect",
    clientSecret: "s",
    name: "Surveyor",
    only: false,
    subjectIsMerchantId: false,
  });
  expect(readConfig({ ...REQUIRED, ...openId, OIDC_ONLY: "true" }).openId?.only).toBe(true);
  expect(readConfig({ ...REQUIRED, OIDC_ONLY: "false" }).openId).toBeNull();
  for (const [name, problem] of [
    ["OIDC_ISSUER", "OIDC_ISSUER is not set"],
    ["OIDC_CLIENT_SECRET", "OIDC_CLIENT_SECRET is not set"],
    ["OIDC_NAME", "OIDC_NAME is not set"],
  ] as const) {
    expect(() => readConfig({ ...REQUIRED, ...openId, [name]: "" })).toThrow(problem);
  }
  expect(() => readConfig({ ...REQUIRED, OIDC_ONLY: "true" })).toThrow("OIDC_ISSUER is not set");
  expect(() => readConfig({ ...REQUIRED, ...openId, OIDC_ONLY: "yes" })).toThrow(
    "OIDC_ONLY is neither true nor false",
  );
  const plain = { ...openId, OIDC_ISSUER: "http://accounts.example" };
  expect(() => readConfig({ ...REQUIRED, ...plain })).toThrow(
    "OIDC_ISSUER is http, which is unencrypted",
  );
});
