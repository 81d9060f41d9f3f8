import { resolve } from "node:path";
import { expect, test } from "vitest";
import { operator, refused } from "../testing.ts";
import { readConfig } from "./config.ts";

test("what is not set is left to the local stack's file", () => {
  expect(readConfig({ USER: "ada" })).toMatchObject({
    databaseUrl: undefined,
    publicBaseUrl: undefined,
    accessTokenTtlSeconds: undefined,
    refreshTokenTtlSeconds: undefined,
    dataDir: resolve(".data"),
    signingKeysFile: resolve(".data/signing-keys.json"),
    operator: "ada",
  });
});

test("all malformed variables are told at once, in one line", async () => {
  const wrong = { ACCESS_TOKEN_TTL_SECONDS: "15m", REFRESH_TOKEN_TTL_SECONDS: "0", PUBLIC_BASE_URL: "connect" };
  expect(await operator(wrong)("client", "list")).toEqual(
    refused(
      /PUBLIC_BASE_URL is not an https URL; ACCESS_TOKEN_TTL_SECONDS is not a whole number from 1: 15m; REFRESH_TOKEN_TTL_SECONDS is not .*: 0/,
    ),
  );
});
