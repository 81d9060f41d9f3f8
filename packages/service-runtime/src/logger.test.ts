import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = `
  import { createLogger } from ${JSON.stringify(new URL("logger.ts", import.meta.url).href)};
  const parent = createLogger("a-service", "info");
  const child = parent.child({ reqId: "8a1d" });
  child.info({ password: "hidden", headers: { authorization: "hidden" }, tries: [{ code: "hidden", at: 1 }, 2] }, "first");
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
      tries: [{ code: "[redacted]", at: 1 }, 2],
    },
    { name: "a-service", msg: "second" },
  ]);
  expect(records[1]).not.toHaveProperty("reqId");
});
