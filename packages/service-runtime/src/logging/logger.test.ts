import { beforeEach, expect, test } from "vitest";
import { isDefect } from "./faults.ts";
import { auditLog, createLogger } from "./logger.ts";

const records: Record<string, unknown>[] = [];
const logged = (level: string) =>
  createLogger("a-service", level, { write: (line) => records.push(JSON.parse(line)) });
beforeEach(() => void records.splice(0));

test("log records of a request have the request's id and no secret", () => {
  const parent = logged("info");
  const child = parent.child({ reqId: "8a1d" });
  child.info({ password: "hidden", headers: { authorization: "hidden" } }, "first");
  child.debug("below the level");
  parent.info("second");
  expect(records).toMatchObject([
    {
      name: "a-service",
      reqId: "8a1d",
      msg: "first",
      password: "[redacted]",
      headers: { authorization: "[redacted]" },
    },
    { name: "a-service", msg: "second" },
  ]);
  expect(records[1]).not.toHaveProperty("reqId");
});

test("texts in a log record are cut at 200 characters, except configuration and stacks", () => {
  const long = "a".repeat(14_000);
  const fields = { detail: `path ${long}`, short: "b".repeat(200), set: { REPLICAS: long } };
  logged("info").info({ ...fields, err: new Error(long) }, "first");
  expect(records).toMatchObject([
    { ...fields, detail: `path ${"a".repeat(195)}… (14005 characters)`, err: { message: long } },
  ]);
});

test("audit records are logged whatever the log level is, without secrets", () => {
  const logger = logged("silent");
  auditLog(logger)({ action: "revoke", shop_id: "s", client_secret: "hidden" });
  logger.error("below the level");
  expect(records).toMatchObject([
    { audit: true, action: "revoke", shop_id: "s", client_secret: "[redacted]", name: "a-service" },
  ]);
});

test.each([() => (null as unknown as { x: 1 }).x, () => JSON.parse("{"), () => "x".repeat(-1)])(
  "an error that only a mistake in code throws is a defect (%s)",
  (run) => {
    try {
      expect.unreachable(String(run()));
    } catch (error) {
      expect(isDefect(error)).toBe(true);
    }
  },
);
