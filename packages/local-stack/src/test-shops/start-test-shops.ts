import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machineEnvironment } from "../config.ts";
import { startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import type { Stores } from "../stack/open-stores.ts";

const MAIN = fileURLToPath(new URL("../../../operator-cli/src/main.ts", import.meta.url));

/** What fills and changes the partners' test shops. It serves nothing: nobody waits for it. */
export function startTestShops(
  dataDir: string,
  { databaseUrl, redisUrl }: Pick<Stores, "databaseUrl" | "redisUrl">,
  context: StackContext,
): Promise<SupervisedProcess> {
  const options = {
    name: "test-shops",
    command: process.execPath,
    args: [MAIN, "shop", "run-tests"],
    env: { ...machineEnvironment(), DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    log: join(dataDir, "logs", "test-shops.log"),
    serves: async () => true,
  };
  return startProcess(options, context);
}
