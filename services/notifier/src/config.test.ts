import { expect, test } from "vitest";
import { readConfig, summarizeConfig } from "./config.ts";

test("it needs a database and an internal port, and names what is missing", () => {
  expect(() => readConfig({})).toThrow(/^INTERNAL_PORT is not set; DATABASE_URL is not set$/);
  expect(readConfig({ INTERNAL_PORT: "9000", DATABASE_URL: "postgres://notifier@db/db" })).toMatchObject({
    http: { host: "0.0.0.0", internalPort: 9000 },
    process: { logLevel: "info" },
    tracing: { endpoint: null, serviceName: "notifier" },
  });
});

test("what is set for the other services is no misspelt name here, as all may have the same settings", () => {
  const settings = { REDIS_URL: "redis://redis", PUBLIC_BASE_URL: "https://connect.example", DRAIN_SECONDS: "10" };
  expect(summarizeConfig(settings).unknown).toEqual([]);
});
