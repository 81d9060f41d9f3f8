import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machineEnvironment } from "../config.ts";
import { startChild } from "../processes/child.ts";
import type { Part, Watch } from "../processes/part.ts";

export interface StartGatewayOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly authorizationServers: readonly { readonly url: string }[];
  readonly resourceServers: readonly { readonly url: string }[];
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** The gateway as a process of its own. */
export async function startGateway(options: StartGatewayOptions, watch: Watch): Promise<Part> {
  const urls = (replicas: readonly { readonly url: string }[]) => replicas.map(({ url }) => url).join(",");
  return await startChild(
    {
      name: "gateway",
      url: `http://localhost:${options.port}`,
      command: process.execPath,
      args: [MAIN],
      env: {
        ...machineEnvironment(),
        PORT: String(options.port),
        AUTHORIZATION_SERVERS: urls(options.authorizationServers),
        RESOURCE_SERVERS: urls(options.resourceServers),
      },
      log: join(options.dataDir, "logs", "gateway.log"),
      // No such page, but somebody says so.
      serves: async () => (await fetch(`http://127.0.0.1:${options.port}/`)).status === 404,
    },
    watch,
  );
}
