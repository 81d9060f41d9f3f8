import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@partner-connect/local-stack";
import { send } from "./http.ts";
import { type OwnStack, startOwnStack } from "./stacks.ts";

const CADDYFILE = fileURLToPath(new URL("../../deploy/gateway/Caddyfile", import.meta.url));
const START_LIMIT_MS = 20_000;

export interface CaddyStack extends OwnStack {
  /** Where the resource servers reach the authorization servers. */
  readonly innerUrl: string;
  /** What Caddy has logged. */
  log(): string;
  /** Ends everything but Caddy. */
  stopServices(): Promise<void>;
}

/**
 * A stack behind Caddy with the production Caddyfile, by plain HTTP on this machine. `now.base_url` and the other two URLs
 * are Caddy's hosts.
 */
export async function startCaddyStack(env: Readonly<Record<string, string>> = {}): Promise<CaddyStack> {
  const port = await freePort();
  const urls = {
    base_url: `http://localhost:${port}`,
    auth_url: `http://auth.localhost:${port}`,
    api_url: `http://api.localhost:${port}`,
  };
  const stack = await startOwnStack({ env: { ...env, PUBLIC_BASE_URL: urls.base_url } });
  const innerPort = await freePort();
  const caddy = await startCaddy(stack, port, innerPort, urls).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stopServices = () => {
    stopped ??= stack.stop();
    return stopped;
  };
  return {
    innerUrl: `http://localhost:${innerPort}`,
    internalUrls: stack.internalUrls,
    get now() {
      return { ...stack.now, ...urls };
    },
    log: caddy.log,
    stopServices,
    async stop() {
      await caddy.stop();
      await stopServices();
    },
  };
}

type PublicUrls = Pick<OwnStack["now"], "base_url" | "auth_url" | "api_url">;

async function startCaddy(
  stack: OwnStack,
  port: number,
  innerPort: number,
  urls: PublicUrls,
): Promise<{ log(): string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-caddy-"));
  const addresses = (replicas: readonly string[]) => replicas.map((url) => new URL(url).host).join(" ");
  // All replicas share this machine's address, so one health port stands for the replicas of a service.
  const healthPort = (name: string) => new URL(stack.internalUrls[name] ?? "").port;
  const caddy = spawn("caddy", ["run", "--config", CADDYFILE, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      GATEWAY_PORT: String(port),
      INNER_PORT: String(innerPort),
      // Everything that Caddy can log.
      CADDY_LOG_LEVEL: "DEBUG",
      CADDY_ADMIN: `localhost:${await freePort()}`,
      BASE_ADDRESS: urls.base_url,
      AUTH_ADDRESS: urls.auth_url,
      API_ADDRESS: urls.api_url,
      AUTHORIZATION_SERVERS: addresses(stack.now.authorization_server_urls),
      RESOURCE_SERVERS: addresses(stack.now.resource_server_urls),
      AUTHORIZATION_SERVER_HEALTH_PORT: healthPort("authorization-server-1"),
      RESOURCE_SERVER_HEALTH_PORT: healthPort("resource-server-1"),
    },
  });
  let log = "";
  caddy.stderr.on("data", (chunk: Buffer) => {
    log += chunk;
  });
  let ended: string | undefined;
  const end = new Promise<string>((resolve) => {
    caddy.once("error", (error) => resolve(error.message));
    caddy.once("exit", (code) => resolve(`exit ${code}`));
  }).then((how) => {
    ended = how;
  });
  const stop = async () => {
    caddy.kill();
    await end;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answer = await send(`${urls.base_url}/oauth/api/jwks`).catch(() => null);
    if (answer?.status === 200) return { log: () => log, stop };
    if (ended !== undefined || Date.now() > deadline) {
      await stop();
      throw new Error(`caddy does not serve (${ended ?? "too slow"}):\n${log}`);
    }
    await sleep(50);
  }
}
