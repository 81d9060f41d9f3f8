import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const REQUIRED = {
  PORT: "0",
  INTERNAL_PORT: "0",
  DATABASE_URL: "postgres://localhost/partner_connect",
  REDIS_URL: "redis://localhost",
  PUBLIC_BASE_URL: "https://connect.example",
  JWKS_URL: "http://gateway:8081/oauth/api/jwks",
};

test("the API's base URL is PUBLIC_BASE_URL unless PUBLIC_API_URL is set", () => {
  expect(readConfig(REQUIRED).publicApiUrl).toBe("https://connect.example");
  const { publicApiUrl } = readConfig({ ...REQUIRED, PUBLIC_API_URL: "https://api.example" });
  expect(publicApiUrl).toBe("https://api.example");
});

test("a refresh token's lifetime of 400 days, after which connections are purged, is refused", () => {
  const tooLong = { ...REQUIRED, REFRESH_TOKEN_TTL_SECONDS: `${400 * 24 * 60 * 60}` };
  expect(() => readConfig(tooLong)).toThrow("from 1 to 34473600");
});

test("a license URL requires the license's name", () => {
  const url = { API_LICENSE_URL: "https://connect.example/terms" };
  expect(() => readConfig({ ...REQUIRED, ...url })).toThrow(
    "API_LICENSE_NAME is not set, but API_LICENSE_URL is",
  );
  expect(readConfig({ ...REQUIRED, ...url, API_LICENSE_NAME: "Our terms" }).env).toMatchObject(url);
});
