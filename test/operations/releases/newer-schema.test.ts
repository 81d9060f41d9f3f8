import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { isReady, keepAsking, pidOf, until } from "../../harness/stack/processes.ts";
import { startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

const REPLICAS = ["authorization-server-1", "resource-server-1"];

test("while a newer release is rolled out that this one may not work beside, what runs goes on, and what starts is refused", async () => {
  const stack = await startOwnStack();
  const sql = connectDatabase(stack.now.database_url, { name: "newer release", connections: 1 });
  try {
    const { client, merchant, shop } = await onboard(stack.now);
    const app = partner(stack.now, client);
    const tokens = await app.connect(merchantBrowser(merchant), shop);
    await sql`INSERT INTO directory.needed_schemas VALUES (1000, 'the moon would fall')`;
    const loads = [
      keepAsking(() => app.refresh(tokens.refreshToken), 3),
      keepAsking(() => app.call("/api/responses?limit=1", tokens.accessToken), 3),
    ];
    for (const name of REPLICAS) process.kill(pidOf(stack, name), "SIGTERM");
    for (const name of REPLICAS) {
      const log = join(stack.now.dataDir, "logs", `${name}.log`);
      await until(async () => (await readFile(log, "utf8")).includes("needs a release that knows migration 1000"));
      expect(await isReady(stack, name)).toBe(false);
    }
    const counts = await Promise.all(loads.map((load) => load.stop()));
    reportRow({ scenario: "a newer release beside this one: what runs goes on", ...countCalls(counts, [200]) });
    expect(counts).toEqual([{ 200: expect.any(Number) }, { 200: expect.any(Number) }]);
    await sql`DELETE FROM directory.needed_schemas WHERE version = 1000`;
    for (const name of REPLICAS) await until(() => isReady(stack, name));
  } finally {
    await sql.end();
    await stack.stop();
  }
}, 60_000);
