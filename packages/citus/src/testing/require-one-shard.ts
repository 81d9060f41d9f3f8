import { connectDatabase } from "@partner-connect/database";
import type { TestDatabase } from "@partner-connect/database/testing";

/**
 * On Citus, every statement of the service that would read several shards fails from here on, so each test that runs there holds the rule: a
 * statement names its shop. On one Postgres there is nothing to hold.
 */
export async function requireOneShard({ url, workers }: TestDatabase): Promise<void> {
  if (workers.length === 0) return;
  const owner = connectDatabase(url, { name: "test owner", connections: 1 });
  const name = new URL(url).pathname.slice(1);
  await owner`ALTER ROLE resource_server IN DATABASE ${owner(name)} SET citus.multi_task_query_log_level = 'error'`;
  await owner.end();
}
