import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isDefect } from "./faults.ts";
import { auditLog, createLogger } from "./logger.ts";

const SCRIPT = `
  import { auditLog, createLogger } from ${JSON.stringify(new URL("logger.ts", import.meta.url).href)};
  const parent = createLogger("a-service", "info");
  const child = parent.child({ reqId: "8a1d" });
  child.info({ password: "hidden", headers: { authorization: "hidden" } }, "first");
  child.debug("below the level");
  parent.info("second");`;

test("a request's records have its id, and no secrets; the others are as before", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", SCRIPT]);
  const records = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
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

test("a text of a record ends after 200 characters; what is configured and a fault's stack are whole", () => {
  const lines: string[] = [];
  const logger = createLogger("a-service", "info", { write: (line) => lines.push(line) });
  const long = "a".repeat(14_000);
  logger.info(
    { detail: `path ${long}`, short: "b".repeat(200), set: { REPLICAS: long }, err: new Error(long) },
    "first",
  );
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    detail: `path ${"a".repeat(195)}… (14005 characters)`,
    short: "b".repeat(200),
    set: { REPLICAS: long },
    err: { message: long },
  });
});

test("records of the audit log are lines at every level, without secrets", () => {
  const lines: string[] = [];
  const logger = createLogger("a-service", "silent", { write: (line) => lines.push(line) });
  auditLog(logger)({ action: "revoke", shop_id: "s", client_secret: "hidden" });
  logger.error("below the level");
  const line = { audit: true, action: "revoke", shop_id: "s", client_secret: "[redacted]", name: "a-service" };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([line]);
});

test("an error that only a mistake in code throws is a defect", () => {
  const thrown = (run: () => unknown): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const mistakes = [() => (null as unknown as { x: 1 }).x, () => JSON.parse("{"), () => "x".repeat(-1)];
  expect(mistakes.map((run) => isDefect(thrown(run)))).toEqual([true, true, true]);
});
