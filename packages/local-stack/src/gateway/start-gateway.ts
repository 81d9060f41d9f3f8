import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machineEnvironment, tracingEnvironment } from "../config.ts";
import { startProcess } from "../processes/start-process.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import type { Services } from "../stack/prepare-services.ts";
import type { Replica } from "../stack/replica.ts";

interface StartGatewayOptions extends Services {
  /** Where it takes the services' mails; null: it takes none. */
  readonly mailPort: number | null;
  readonly port: number;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

export async function startGateway(options: StartGatewayOptions, context: StackContext): Promise<SupervisedProcess> {
  const urls = (replicas: readonly Replica[]) => replicas.map(({ url }) => url).join(",");
  return await startProcess(
    {
      name: "gateway",
      url: `http://localhost:${options.port}`,
      command: process.execPath,
      args: [MAIN],
      env: {
        ...machineEnvironment(),
        ...tracingEnvironment(options.env),
        PORT: String(options.port),
        DATA_DIR: options.dataDir,
        ...(options.mailPort !== null && { MAIL_PORT: String(options.mailPort) }),
        AUTHORIZATION_SERVERS: urls(options.authorizationServers),
        RESOURCE_SERVERS: urls(options.resourceServers),
      },
      log: join(options.dataDir, "logs", "gateway.log"),
      // There is no such page, so the gateway itself answers.
      serves: async () => (await fetch(`http://127.0.0.1:${options.port}/none`)).status === 404,
    },
    context,
  );
}
