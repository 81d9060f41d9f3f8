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

test("the public base URL is the API's, unless it has one of its own", () => {
  expect(readConfig(REQUIRED).publicApiUrl).toBe("https://connect.example");
  const { publicApiUrl } = readConfig({ ...REQUIRED, PUBLIC_API_URL: "https://api.example" });
  expect(publicApiUrl).toBe("https://api.example");
});

test.each(["PUBLIC_BASE_URL", "PUBLIC_API_URL"])("%s by plain HTTP is refused, except on localhost", (name) => {
  expect(() => readConfig({ ...REQUIRED, [name]: "http://connect.example" })).toThrow(`${name} is http`);
  expect(() => readConfig({ ...REQUIRED, [name]: "http://api.localhost:8080" })).not.toThrow();
});

test("openapi.json says who runs the system and on what terms, as far as it is set", () => {
  expect(readConfig(REQUIRED).information).toEqual({});
  const read = (variables: Record<string, string>) => readConfig({ ...REQUIRED, ...variables }).information;
  expect(read({ SUPPORT_URL: "https://a.example/s" })).toEqual({ contact: { url: "https://a.example/s" } });
  expect(read({ API_CONTACT: "a@a.example", API_LICENSE_NAME: "MIT" })).toEqual({
    contact: { email: "a@a.example" },
    license: { name: "MIT" },
  });
  const all = {
    SUPPORT_URL: "https://a.example/s",
    API_CONTACT: "Partner desk <a@a.example>",
    API_TERMS_URL: "https://a.example/t",
    API_LICENSE_NAME: "Ours",
    API_LICENSE_URL: "https://a.example/l",
  };
  expect(read(all)).toEqual({
    termsOfService: "https://a.example/t",
    contact: { name: "Partner desk", url: "https://a.example/s", email: "a@a.example" },
    license: { name: "Ours", url: "https://a.example/l" },
  });
  for (const name of ["SUPPORT_URL", "API_CONTACT", "API_TERMS_URL", "API_LICENSE_URL"])
    expect(() => read({ ...all, [name]: "http://a.example" })).toThrow(`${name} is not`);
  expect(() => read({ ...all, API_LICENSE_NAME: "" })).toThrow("API_LICENSE_NAME is not set, and API_LICENSE_URL is");
});
