import { parseDatabaseUrl } from "@partner-connect/database";
import { packSdk } from "@partner-connect/partner-sdk/packing";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { machineEnvironment, readStackSettings } from "../config.ts";
import { type LoadedDemoData, loadDemoData } from "../demo/load-demo-data.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { gatewayPort } from "../processes/localhost-port.ts";
import { startWatchdog, step } from "../processes/supervised-process.ts";
import { startSamplePartner } from "../sample-partner/start-sample-partner.ts";
import { startTestShops } from "../test-shops/start-test-shops.ts";
import { claimDataFolder } from "./data-folder.ts";
import { openStores, readSecrets, type Stores } from "./open-stores.ts";
import { prepareServices, publicBaseUrl, type Services } from "./prepare-services.ts";
import { type LocalStackState, runningProcesses, stateRecorder } from "./state.ts";

export interface LocalStackOptions {
  /** Made when it is missing; everything that outlives the stack is in it. */
  readonly dataDir: string;
  /** Of the gateway; 0 (default): any that is free. */
  readonly port?: number;
  /** Whether to load the demo data, once, and to start the sample partner app, which uses it. Default: no. */
  readonly demoData?: boolean;
  /**
   * For the stack: stores to use in place of own ones (`DATABASE_URL`, `REDIS_URL`, `RESOURCE_SERVER_REDIS_URL`;
   * `SERVICES_DATABASE_URL`: where the services find the database, on a cluster), `…_MAXMEMORY`, `…_REPLICAS`; all else is for the
   * services.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether each replica has an address of its own on this machine, as on machines of their own. Only on Linux. Default: no. */
  readonly apart?: boolean;
  readonly report?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface LocalStack {
  readonly state: LocalStackState;
  /** Health, metrics and keys (`/livez`, `/readyz`, `/metrics`, `/keys`) of each replica, by its name. */
  readonly internalUrls: Readonly<Record<string, string>>;
  readonly demo: LoadedDemoData | null;
  stop(): Promise<void>;
}

/** Starts everything, and again what ends by itself, until `stop`. @throws {StartFailure} saying what to do; nothing is left running */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { report = () => {}, signal, apart } = options;
  const env = { ...machineEnvironment(), ...options.env };
  const { path: dataDir, lock } = await claimDataFolder(options.dataDir);
  const recorder = stateRecorder(dataDir, lock);

  let urls: StackUrls | undefined;
  const state = (): LocalStackState | null => (urls ? { ...urls, processes: processes.list() } : null);
  const changed = (): void =>
    recorder.record(
      state(),
      processes.list().map(({ pid }) => pid),
    );
  const processes = runningProcesses({ report, changed, watchdog: startWatchdog(), signal });
  const stop = async (): Promise<void> => {
    await processes.stop();
    await recorder.close();
  };

  // Beside the stores' start, which takes longer.
  const packed = packSdk().catch((error) => report(`the documentation has no SDK to download: ${error.message}`));
  try {
    const port = await gatewayPort(options.port ?? 0);
    const { replicas: counts, takesMail } = readStackSettings(env);
    const mailPort = takesMail && counts.notifiers > 0 && env["MAIL_FROM"] !== "" ? await freePort() : null;
    const mailFrom = env["MAIL_FROM"] ?? (mailPort === null ? undefined : "mail@localhost");
    const secrets = await readSecrets(dataDir);
    const stores = await openStores(dataDir, env, secrets, processes);
    const roleSecret = parseDatabaseUrl(stores.databaseUrl).password || secrets.role_secret;
    const services = await step(report, "bringing the database's tables up to date", () =>
      prepareServices({ dataDir, port, ...stores, roleSecret, ...counts, env, apart, mailPort }),
    );
    await packed;
    const allReplicas = Object.values(services).flat();
    await step(report, `starting the gateway and ${allReplicas.length} service processes`, () =>
      processes.add(
        startGateway({ port, dataDir, env, mailPort, ...services }, processes.context),
        ...allReplicas.map((replica) => replica.start(processes.context)),
      ),
    );
    const demo = options.demoData ? await loadDemoData({ dataDir, databaseUrl: stores.databaseUrl, report }) : null;
    const baseUrl = publicBaseUrl(port, env);
    const sample = demo?.client ? await startSamplePartner({ dataDir, baseUrl, client: demo.client }, processes) : null;
    await processes.add(startTestShops(dataDir, stores, processes.context));
    signal?.throwIfAborted();
    urls = {
      ...stackUrls(port, stores, services, env),
      ...(mailFrom && { mail_from: mailFrom }),
      ...(sample !== null && { sample_partner_url: sample }),
    };
    changed();
    await recorder.written();
    return {
      get state() {
        return state() as LocalStackState;
      },
      internalUrls: internalUrls(services),
      demo,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type StackUrls = Omit<LocalStackState, "processes">;

function stackUrls(port: number, stores: Stores, services: Services, env: Readonly<Record<string, string>>): StackUrls {
  const refreshTokenTtl = env["REFRESH_TOKEN_TTL_SECONDS"];
  return {
    base_url: `http://localhost:${port}`,
    auth_url: `http://auth.localhost:${port}`,
    api_url: `http://api.localhost:${port}`,
    database_url: stores.databaseUrl,
    redis_url: stores.redisUrl,
    resource_server_redis_url: stores.resourceServerRedisUrl,
    authorization_server_urls: services.authorizationServers.map(({ url }) => url),
    resource_server_urls: services.resourceServers.map(({ url }) => url),
    internal_urls: internalUrls(services),
    ...(refreshTokenTtl && { refresh_token_ttl_seconds: Number(refreshTokenTtl) }),
  };
}

function internalUrls(services: Services): Record<string, string> {
  const replicas = Object.values(services).flat();
  return Object.fromEntries(replicas.map(({ name, internalUrl }) => [name, internalUrl]));
}
