import { machineEnvironment, readStackSettings } from "../config.ts";
import { type LoadedDemoData, loadDemoData } from "../demo/load-demo-data.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { freePort, isFree } from "../processes/free-port.ts";
import { startLeash } from "../processes/leash.ts";
import { StartFailure } from "../processes/start-failure.ts";
import { step } from "../processes/step.ts";
import { createCrew } from "./crew.ts";
import { claimDataFolder } from "./data-folder.ts";
import { openJournal } from "./journal.ts";
import { openStores } from "./open-stores.ts";
import { readSecrets } from "./secrets.ts";
import { prepareServices } from "./services.ts";
import type { LocalStackState } from "./state.ts";

export interface LocalStackOptions {
  /** Made when it is missing; everything that outlives the stack is in it. */
  readonly dataDir: string;
  /** Of the gateway; 0 (default): any that is free. */
  readonly port?: number;
  /** Whether to load the demo data, once. Default: no. */
  readonly demoData?: boolean;
  /**
   * Variables for the stack (`DATABASE_URL`, `REDIS_URL`, `RESOURCE_SERVER_REDIS_URL`: stores to use in place of own
   * ones; `REDIS_MAXMEMORY`, `RESOURCE_SERVER_REDIS_MAXMEMORY`: of its own ones; `AUTHORIZATION_SERVER_REPLICAS`,
   * `RESOURCE_SERVER_REPLICAS`, default 2) and for the services (lifetimes, limits; `PUBLIC_BASE_URL` when another
   * gateway stands in front).
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Takes one line for people at a time. */
  readonly report?: (line: string) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

export interface LocalStack {
  /** What DATA_DIR/local-stack.json says now. */
  readonly state: LocalStackState;
  /** Health and metrics (`/livez`, `/readyz`, `/metrics`) of each replica, by its name. */
  readonly internalUrls: Readonly<Record<string, string>>;
  readonly demo: LoadedDemoData | null;
  /** Ends every process; the data stays. */
  stop(): Promise<void>;
}

/**
 * Starts everything on this machine: Postgres, a Redis for each service, the services' replicas, the gateway. A process
 * that ends by itself is started again, with its data, until `stop`.
 * @throws StartFailure whose message says what to do; nothing is left running then
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { report = () => {}, signal } = options;
  const env = { ...machineEnvironment(), ...options.env };
  const { path: dataDir, lock } = await claimDataFolder(options.dataDir);
  const journal = openJournal(dataDir, lock);

  let urls: Omit<LocalStackState, "processes"> | undefined;
  const state = (): LocalStackState | null => (urls === undefined ? null : { ...urls, processes: crew.processes() });
  const changed = (): void =>
    journal.record(
      state(),
      crew.processes().map((process) => process.pid),
    );
  const crew = createCrew({ report, changed, leash: startLeash(), signal });
  const stop = async (): Promise<void> => {
    await crew.stop();
    await journal.close();
  };

  try {
    const port = await gatewayPort(options.port ?? 0);
    const counts = readStackSettings(env).replicas;
    const secrets = await readSecrets(dataDir);
    const stores = await openStores(dataDir, env, secrets, crew);
    const roleSecret = new URL(stores.databaseUrl).password || secrets.role_secret;
    const services = await step(report, "bringing the database's tables up to date", () =>
      prepareServices({ dataDir, port, ...stores, roleSecret, ...counts, env }),
    );
    const replicasOf = [...services.authorizationServers, ...services.resourceServers];
    await step(report, `starting the gateway and ${replicasOf.length} service processes`, () =>
      crew.add(
        startGateway({ port, dataDir, ...services }, crew.watch),
        ...replicasOf.map((replica) => replica.start(crew.watch)),
      ),
    );
    const demo = options.demoData ? await loadDemoData({ dataDir, databaseUrl: stores.databaseUrl, report }) : null;
    signal?.throwIfAborted();
    urls = {
      base_url: `http://localhost:${port}`,
      auth_url: `http://auth.localhost:${port}`,
      api_url: `http://api.localhost:${port}`,
      database_url: stores.databaseUrl,
      redis_url: stores.redisUrl,
      resource_server_redis_url: stores.resourceServerRedisUrl,
      authorization_server_urls: services.authorizationServers.map((replica) => replica.url),
      resource_server_urls: services.resourceServers.map((replica) => replica.url),
      ...(env["REFRESH_TOKEN_TTL_SECONDS"] && { refresh_token_ttl_seconds: Number(env["REFRESH_TOKEN_TTL_SECONDS"]) }),
    };
    changed();
    await journal.written();
    return {
      get state() {
        return state() as LocalStackState;
      },
      internalUrls: Object.fromEntries(replicasOf.map(({ name, internalUrl }) => [name, internalUrl])),
      demo,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws StartFailure when the port that was asked for can't be had */
async function gatewayPort(asked: number): Promise<number> {
  if (asked === 0) return await freePort();
  for (const host of ["127.0.0.1", "::1"]) {
    const free = await isFree(host, asked).catch((error: Error) => {
      throw new StartFailure(`can't listen on port ${asked} (${error.message}); set PORT to another one`);
    });
    if (!free) throw new StartFailure(`port ${asked} is in use (by another local stack?); set PORT to another one`);
  }
  return asked;
}
