import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseDatabaseUrl } from "@partner-connect/database";
import { buildDocs } from "@partner-connect/developer-docs/building";
import { packSdk } from "@partner-connect/partner-sdk/packing";
import { freePort, isFree } from "@partner-connect/service-runtime/free-port";
import { machineEnvironment, readStackSettings } from "./config.ts";
import { choosePort, claimDataFolder, ensureStoresPassword, writeJson } from "./data-folder.ts";
import { type LoadedDemoData, loadDemoData } from "./demo.ts";
import { type Command, StartFailure, type SupervisedProcess, startProcess } from "./processes.ts";
import {
  gatewayCommand,
  prepareServices,
  type Services,
  type Stack,
  samplePartnerCommand,
  serviceReplicas,
} from "./services.ts";
import { openStores } from "./stores/open-stores.ts";

/**
 * DATA_DIR/local-stack.json: how to reach the running stack. The operator CLI and outside checks
 * read it.
 */
export type LocalStackState = ReturnType<typeof addressesOf> & {
  readonly processes: readonly {
    readonly name: string;
    readonly pid: number;
    readonly url?: string;
  }[];
};

export interface LocalStackOptions {
  /** The folder with everything that outlives the stack. Made if it is missing. */
  readonly dataDir: string;
  /** The gateway's port; 0 (default): any free port. */
  readonly port?: number;
  /** Loads the demo data, once, and starts the sample partner app, which uses it. Default: no. */
  readonly demoData?: boolean;
  /**
   * URLs of stores to use instead of starting them (`DATABASE_URL`, `REDIS_URL`,
   * `RESOURCE_SERVER_REDIS_URL`; `SERVICES_DATABASE_URL`: where the services of a
   * cluster find the database), and numbers of replicas (`…_REPLICAS`). Others go to the services.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives each replica its own IP address, as on separate machines. Only on Linux. Default: no. */
  readonly apart?: boolean;
  readonly report?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface LocalStack {
  readonly state: LocalStackState;
  readonly demo: LoadedDemoData | null;
  stop(): Promise<void>;
}

/** Outermost first: a process stops receiving requests before its dependencies stop. */
const STOP_ORDER = [/^(sample-partner|gateway)$/, /-\d+$|^worker$|^back-office$/, /./];

/**
 * Starts everything, and restarts what exits, until `stop`. @throws {StartFailure} saying what to
 * do; nothing is left running
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { report = () => {}, signal, apart = false } = options;
  const env = { ...machineEnvironment(), ...options.env };
  const folder = await claimDataFolder(options.dataDir);
  const dataDir = folder.path;
  const file = join(dataDir, "local-stack.json");

  let urls: ReturnType<typeof addressesOf> | undefined;
  let running: readonly SupervisedProcess[] = [];
  const processes = () =>
    running.flatMap(({ name, pid, url }) =>
      pid === undefined ? [] : [{ name, pid, ...(url && { url }) }],
    );

  let written = Promise.resolve();
  /**
   * Stores the list of processes, so that the next start finds them if this one is killed. Once the
   * stack is ready, local-stack.json has them too.
   */
  function storeProcesses(): void {
    written = written.then(async () => {
      await folder.remember(processes().map(({ pid }) => pid));
      if (urls) await writeJson(file, { ...urls, processes: processes() });
    });
  }

  const context = { report, pidChanged: storeProcesses, signal };
  /** Waits for all of these starts, even if one fails, so that `stop` ends the others. */
  async function awaitStarts(...starts: readonly Promise<SupervisedProcess>[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      starts.map(async (start) => {
        const started = await start;
        running = [...running, started];
        storeProcesses();
      }),
    );
    signal?.throwIfAborted();
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  }
  const start = (...commands: readonly Command[]) =>
    awaitStarts(...commands.map((command) => startProcess(command, context)));

  async function stop(): Promise<void> {
    for (const kind of STOP_ORDER) {
      const ending = running.filter(({ name }) => kind.test(name));
      running = running.filter((process) => !ending.includes(process));
      await Promise.all(ending.map((process) => process.stop()));
    }
    await written;
    await rm(file, { force: true });
    await folder.release();
  }

  // In parallel with the start of the stores, which takes longer.
  const packed = packSdk().catch((error) =>
    report(`the documentation has no SDK to download: ${error.message}`),
  );
  const built = buildDocs().catch((error) => report(error.message));
  try {
    const port = options.port || (await freePort());
    const free = await Promise.all(["127.0.0.1", "::1"].map((host) => isFree(host, port)));
    if (free.includes(false)) {
      throw new StartFailure(
        `port ${port} is in use (by another local stack?); set PORT to another one`,
      );
    }
    const { counts, receivesMail, ...asked } = readStackSettings(env);
    const internalApiPort = await choosePort(dataDir, asked.internalApiPort);
    const mailPort =
      receivesMail && counts.WORKER_REPLICAS > 0 && env["MAIL_FROM"] !== ""
        ? await freePort()
        : null;
    const password = await ensureStoresPassword(dataDir);
    const stores = await openStores(dataDir, env, password, context, awaitStarts);
    const roleSecret = parseDatabaseUrl(stores.databaseUrl).password || password;
    const prepared = {
      dataDir,
      port,
      env,
      roleSecret,
      counts,
      apart,
      mailPort,
      internalApiPort,
      ...stores,
    };
    report("bringing the database's tables up to date");
    await prepareServices(prepared);
    await Promise.all([packed, built]);
    const services = await serviceReplicas(prepared);
    const replicas = Object.values(services).flat();
    report(`starting the gateway and ${replicas.length} service processes`);
    await start(gatewayCommand(prepared, services), ...replicas.map(({ command }) => command));
    const demo = options.demoData ? await loadDemoData(dataDir, stores.databaseUrl, report) : null;
    if (demo?.client) {
      report("starting the sample partner app");
      await start(await samplePartnerCommand(prepared, demo.client));
    }
    const samplePartner = running.find(({ name }) => name === "sample-partner");
    const ready = addressesOf(prepared, services, samplePartner?.url);
    urls = ready;
    storeProcesses();
    await written;
    return {
      get state() {
        return { ...ready, processes: processes() };
      },
      demo,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addressesOf(
  { port, env, mailPort, ...stores }: Stack,
  services: Services,
  sampleUrl: string | undefined,
) {
  const replicas = Object.values(services).flat();
  const refreshTokenTtl = env["REFRESH_TOKEN_TTL_SECONDS"];
  const mailFrom = env["MAIL_FROM"] ?? (mailPort === null ? undefined : "mail@localhost");
  return {
    base_url: `http://localhost:${port}`,
    auth_url: `http://auth.localhost:${port}`,
    api_url: `http://api.localhost:${port}`,
    database_url: stores.databaseUrl,
    redis_url: stores.redisUrl,
    resource_server_redis_url: stores.resourceServerRedisUrl,
    authorization_server_urls: services.authorizationServers.map(({ url }) => url),
    resource_server_urls: services.resourceServers.map(({ url }) => url),
    internal_api_url: services.backOffices[0]?.url ?? "",
    /**
     * Health and metrics of each replica by its name (`/livez`, `/readyz`, `/metrics`), and the
     * keys of resource servers (`/keys`).
     */
    internal_urls: Object.fromEntries(
      replicas.map(({ command, internalUrl }) => [command.name, internalUrl]),
    ),
    /** `connection list` uses it to show what has expired. */
    ...(refreshTokenTtl && { refresh_token_ttl_seconds: Number(refreshTokenTtl) }),
    /** The sender of mails, where mail is on. */
    ...(mailFrom && { mail_from: mailFrom }),
    ...(sampleUrl && { sample_partner_url: sampleUrl }),
  };
}
