import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const SCRIPT = `
  import { createLogger } from ${JSON.stringify(new URL("logger.ts", import.meta.url).href)};
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

const REQUESTS = `
  import { createLogger } from ${JSON.stringify(new URL("logger.ts", import.meta.url).href)};
  const logger = createLogger("a-service", "info");
  const log = (url, route) => logger.info({ req: { method: "GET", url, routeOptions: { url: route } } }, "request");
  log("/oauth/api/token?code=secret", "/oauth/api/token");
  log("/oauth/interaction/secret?x=secret", "/oauth/interaction/:uid");
  log("/oauth/secret?secret");
  log("/secret");`;

test("a request's record names its route, and nothing of a URL that is no route's [log.no-url]", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", REQUESTS]);
  const records = stdout.trim().split("\n");
  const routes = ["/oauth/api/token", "/oauth/interaction/:uid", "none", "none"];
  expect(records.map((line) => JSON.parse(line).req)).toEqual(routes.map((route) => ({ method: "GET", route })));
  expect(stdout).not.toContain("secret");
});
