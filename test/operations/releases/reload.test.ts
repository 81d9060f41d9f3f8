import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { countCalls, reportRow } from "../row.ts";

const PROGRAM = fileURLToPath(new URL("reload-load.ts", import.meta.url));
const run = promisify(execFile);

test("a reload of the gateway cuts off nobody who keeps his connection", async () => {
  const outcomes = JSON.parse((await run(process.execPath, [PROGRAM])).stdout);
  reportRow({ scenario: "12 reloads of Caddy: connections that are kept", ...countCalls([outcomes], [200]) });
  expect(outcomes).toEqual({ 200: expect.any(Number) });
  expect(outcomes["200"]).toBeGreaterThan(500);
}, 120_000);
