import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { startLocalStack } from "@partner-connect/local-stack";
import { benchHotClient } from "./feed/hot-client-report.ts";

/** The feed of changes with the limits of production: the time from a commit to its reader. */
export async function benchFeed({ quick }: { quick: boolean }): Promise<void> {
  const report = (line: string): void => console.error(line);
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  const env = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1", LOG_LEVEL: "warn" };
  const stack = await startLocalStack({ dataDir, env });
  const sql = connectDatabase(stack.state.database_url, { name: "test", connections: 8 });
  try {
    await benchHotClient({ state: stack.state, sql, quick, report });
  } finally {
    await sql.end();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
