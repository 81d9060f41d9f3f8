import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@partner-connect/local-stack";
import { send } from "../actors/http.ts";
import {
  type OwnStack,
  type OwnStackOptions,
  type StackUnderTest,
  startOwnStack,
} from "./stacks.ts";

const FOLDER = new URL("../../../deploy/gateway/", import.meta.url);
const START_LIMIT_MS = 20_000;

/** The parts of a stack that Caddy needs. */
export interface BehindCaddy extends Pick<OwnStack, "internalUrls"> {
  readonly now: Pick<StackUnderTest, "authorization_server_urls" | "resource_server_urls">;
}

export interface CaddyOptions {
  readonly port: number;
  /** Default: http. With https Caddy issues the certificates, because the hosts are local. */
  readonly scheme?: "http" | "https";
  /** Changes the production Caddyfile, such as the length of a limit. */
  readonly change?: (caddyfile: string) => string;
  readonly env?: Readonly<Record<string, string>>;
}

export type Caddy = Awaited<ReturnType<typeof startCaddy>>;

/** The hosts of Caddy at this port. */
export function caddyUrls({ port, scheme = "http" }: CaddyOptions) {
  return {
    base_url: `${scheme}://localhost:${port}`,
    auth_url: `${scheme}://auth.localhost:${port}`,
    api_url: `${scheme}://api.localhost:${port}`,
  };
}

/** Starts Caddy, with the production Caddyfile, before the services of `stack`. */
export async function startCaddy(stack: BehindCaddy, options: CaddyOptions) {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-caddy-"));
  const config = join(folder, "Caddyfile");
  const { port, scheme = "http", change = (text) => text } = options;
  await cp(FOLDER, folder, { recursive: true });
  await writeFile(config, change(await readFile(config, "utf8")));
  const [innerPort, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const urls = caddyUrls(options);
  const addresses = (replicas: readonly string[]) =>
    replicas.map((url) => new URL(url).host).join(" ");
  // Replicas of a service share a port and, unless they are apart, the address.
  const healthPort = (name: string) => new URL(stack.internalUrls[name] ?? "").port;
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    GATEWAY_SCHEME: scheme,
    GATEWAY_PORT: String(port),
    HTTP_PORT: String(httpPort),
    INNER_PORT: String(innerPort),
    // Everything that Caddy can log.
    CADDY_LOG_LEVEL: "DEBUG",
    CADDY_ADMIN: `localhost:${adminPort}`,
    BASE_ADDRESS: urls.base_url,
    AUTH_ADDRESS: urls.auth_url,
    API_ADDRESS: urls.api_url,
    AUTHORIZATION_SERVERS: addresses(stack.now.authorization_server_urls),
    RESOURCE_SERVERS: addresses(stack.now.resource_server_urls),
    AUTHORIZATION_SERVER_HEALTH_PORT: healthPort("authorization-server-1"),
    RESOURCE_SERVER_HEALTH_PORT: healthPort("resource-server-1"),
    ...options.env,
  };
  const caddy = spawn("caddy", ["run", "--config", config, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env,
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
  const innerUrl = `http://localhost:${innerPort}`;
  const stop = async () => {
    // SIGKILL, because after SIGTERM it runs for some more seconds.
    caddy.kill("SIGKILL");
    await end;
    await rm(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const answer = await send(`${innerUrl}/oauth/api/jwks`).catch(() => null);
    if (answer?.status === 200) break;
    if (ended !== undefined || Date.now() > deadline) {
      await stop();
      throw new Error(`caddy does not serve (${ended ?? "too slow"}):\n${log}`);
    }
    await sleep(50);
  }
  return {
    /** Where the resource servers reach the authorization servers. */
    innerUrl,
    /** The http URL that redirects to https, if the stack uses https. */
    redirectingUrl: `http://localhost:${httpPort}`,
    /** The certificate that signs all others, if the stack uses https. */
    root: () => readFile(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8"),
    log: () => log,
    /** Reads the Caddyfile again, as an operator does. */
    async reload() {
      const address = ["--address", env.CADDY_ADMIN];
      await promisify(execFile)(
        "caddy",
        ["reload", "--config", config, "--adapter", "caddyfile", "--force", ...address],
        { env },
      );
    },
    stop,
  };
}

export type CaddyStack = Awaited<ReturnType<typeof startCaddyStack>>;

/** Starts a stack and, before it, Caddy by plain HTTP; `now` has Caddy's URLs. */
export async function startCaddyStack(env: OwnStackOptions["env"] = {}, apart = false) {
  const port = await freePort();
  const urls = caddyUrls({ port });
  const stack = await startOwnStack({ env: { ...env, PUBLIC_BASE_URL: urls.base_url }, apart });
  const { innerUrl, log, reload, stop } = await startCaddy(stack, { port }).catch(
    async (error: unknown) => {
      await stack.stop();
      throw error;
    },
  );
  return {
    innerUrl,
    internalUrls: stack.internalUrls,
    get now(): StackUnderTest {
      return { ...stack.now, ...urls };
    },
    log,
    reload,
    async stop() {
      await stop();
      await stack.stop();
    },
  };
}
