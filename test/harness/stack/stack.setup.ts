import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "@partner-connect/database/testing";
import { startLocalStack } from "@partner-connect/local-stack";
import { removeData } from "@partner-connect/local-stack/testing";
import { freshRedis, isRedisCluster } from "@partner-connect/service-runtime/testing";
import { databaseVariables, replicaVariables, UNLIMITED } from "./stacks.ts";

/** Starts `mainStack()`, for all tests that don't break it or slow it down. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-stack-"));
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const url = process.env["TEST_REDIS_URL"];
  // A cluster with replicas is not shared with other runs.
  const redis = isRedisCluster(url) ? { url: url ?? "" } : await freshRedis(url);
  // Without mail, so that commands print their links. Tests of mail start separate stacks.
  const mail = { MAIL_FROM: "" };
  const env = {
    ...UNLIMITED,
    ...mail,
    ...replicaVariables(),
    ...databaseVariables(database),
    REDIS_URL: redis.url,
  };
  const stack = await startLocalStack({ dataDir: folder, env });
  process.env["TEST_STACK_DATA_DIR"] = folder;
  return async () => {
    await stack.stop();
    await removeData(folder);
  };
}
