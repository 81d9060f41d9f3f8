import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const NEEDED = { PARTNER_CONNECT_URL: "http://localhost:8080", CLIENT_ID: "client_x", CLIENT_SECRET: "pcs_x" };

test("what nobody sets is for this machine", () => {
  expect(readConfig(NEEDED)).toEqual({
    port: 3000,
    publicUrl: "http://localhost:3000",
    dataDir: resolve(".data/sample-partner"),
    partnerConnect: { baseUrl: "http://localhost:8080", clientId: "client_x", clientSecret: "pcs_x" },
  });
  expect(readConfig({ ...NEEDED, PUBLIC_URL: "https://app.example/" }).publicUrl).toBe("https://app.example");
});

test("all that is wrong is said at once", () => {
  expect(() => readConfig({ PORT: "http", PUBLIC_URL: "app.example/path", CLIENT_ID: "client_x" })).toThrow(
    "PORT is not a port; PUBLIC_URL is not an origin; PARTNER_CONNECT_URL is missing; CLIENT_SECRET is missing",
  );
});
