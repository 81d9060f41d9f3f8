import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connectDatabase, derivedRolePassword, roleUrl, type Sql } from "@partner-connect/database";
import { selfSigned } from "@partner-connect/database/testing";
import { freePort, type LocalStack, startLocalStack } from "@partner-connect/local-stack";
import { removeData } from "@partner-connect/local-stack/testing";
import { readSigningKeys } from "@partner-connect/signing-keys";
import { Redis } from "ioredis";
import { SignJWT } from "jose";
import { type DataSetSize, fillDataSet, SORTS } from "./data-set.ts";
import { type Load, measure, type Server } from "./measure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MIGRATIONS = "packages/database/migrations";
const ENV = {
  AUTHORIZATION_SERVER_REPLICAS: "1",
  RESOURCE_SERVER_REPLICAS: "1",
  AUTHORIZE_RATE_LIMIT: "100000000",
  TOKEN_RATE_LIMIT: "100000000",
  API_RATE_LIMIT: "100000000",
  LOG_LEVEL: "warn",
};
/** Settings for a server of this data set's size. All others are Postgres's defaults. */
const SETTINGS = {
  ...{ shared_buffers: "2GB", maintenance_work_mem: "512MB", max_wal_size: "8GB" },
  ...{ checkpoint_timeout: "30min", autovacuum: "off" },
};
const TOKEN_SECONDS = 900;
/** A client gets a new token this long before the old one expires. */
const EARLY_SECONDS = 60;

/** A stack that is removed at the end: one replica each, and no limit that a bench meets. */
export async function withStack(
  work: (stack: LocalStack, sql: Sql, dataDir: string) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-bench-"));
  await withStackIn(dataDir, work, env).finally(() => removeData(dataDir));
}

async function withStackIn(
  dataDir: string,
  work: (stack: LocalStack, sql: Sql, dataDir: string) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const stack = await startLocalStack({ dataDir, env: { ...ENV, ...env } });
  const sql = connectDatabase(stack.state.database_url, { name: "test", connections: 8 });
  try {
    await work(stack, sql, dataDir);
  } finally {
    await sql.end({ timeout: 5 });
    await stack.stop();
  }
}

/** The processes that work on the requests to a server, with the Redis that it uses. */
export function pidsOf(
  { state }: LocalStack,
  node: string,
  redis: "redis" | "resource-server-redis",
): Server["pids"] {
  const pid = (name: string) =>
    state.processes.find((process) => process.name === name)?.pid as number;
  return { node: pid(node), postgres: pid("postgres"), redis: pid(redis) };
}

/** Four readers of the key's shop: one page of 50 after the other, in all sorts. */
export function readersOf(
  stack: LocalStack,
  key: string,
): (until: number | Promise<unknown>) => Promise<Load> {
  const server = {
    url: stack.state.resource_server_urls[0] as string,
    pids: pidsOf(stack, "resource-server-1", "resource-server-redis"),
  };
  const headers = { authorization: key };
  const requests = SORTS.map((sort) => ({ path: `/api/responses?limit=50&sort=${sort}`, headers }));
  return (until) => measure(server, requests, requests.length, until);
}

export type BenchStack = Awaited<ReturnType<typeof startBenchStack>>;

export interface Caller {
  readonly connectionId: string;
  readonly shopId: string;
  readonly clientId: string;
}

/** A stack on the kept data of `size`. @param against a commit whose resource server runs too */
export async function startBenchStack(
  size: DataSetSize,
  { tls, against }: { readonly tls: boolean; readonly against?: string | undefined },
  report: (line: string) => void,
) {
  const dataDir = await dataSetFolder(size);
  const made = join(dataDir, "made");
  if ((await readFile(made).catch(() => null)) === null) {
    report(`making the data set in ${dataDir}`);
    await removeData(dataDir);
    await withStackIn(dataDir, async (_, sql) => {
      for (const [name, value] of Object.entries(SETTINGS))
        await sql.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`);
    });
    await withStackIn(dataDir, (_, sql) => fillDataSet(sql, size, report));
    await writeFile(made, "");
  }
  const stack = await startLocalStack({ dataDir, env: ENV });
  const {
    database_url: databaseUrl,
    base_url: baseUrl,
    resource_server_redis_url: redisUrl,
  } = stack.state;
  const sql = connectDatabase(databaseUrl, { name: "test", connections: 1 });
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-tls-"));
  const password = derivedRolePassword(new URL(databaseUrl).password, "resource_server");
  const service = (url: string) => roleUrl(url, "resource_server", password);
  const ends: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
    await sql.end();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const pids = pidsOf(stack, "resource-server-1", "resource-server-redis");
    let serviceDatabaseUrl = service(databaseUrl);
    let server: Server = { url: stack.state.resource_server_urls[0] as string, pids };
    let env: Readonly<Record<string, string>> = {};
    const replica = async (root?: string): Promise<Server> => {
      const { url, pid, kill } = await startReplica(pids.node, env, root);
      ends.push(kill);
      return { url, pids: { ...pids, node: pid } };
    };
    if (tls) {
      const encrypted = await encryptStores(sql, databaseUrl, redisUrl, folder);
      serviceDatabaseUrl = service(encrypted.database);
      env = {
        DATABASE_URL: serviceDatabaseUrl,
        REDIS_URL: encrypted.redis,
        NODE_EXTRA_CA_CERTS: encrypted.root,
      };
      server = await replica();
    }
    const tree = against === undefined ? null : await checkOut(against);
    if (tree) ends.push(tree.remove);
    const other = tree && (await replica(tree.root));
    const { kid, alg, privateKey } = (await readSigningKeys(join(dataDir, "signing-keys.json")))
      .active;
    /** A current access token of each caller; their ages are spread over a token's life. */
    const tokens = (callers: readonly Caller[]) => {
      const now = Math.floor(Date.now() / 1000);
      const used = TOKEN_SECONDS - EARLY_SECONDS;
      const sign = ({ connectionId, shopId, clientId }: Caller, index: number) => {
        const iat = now - ((now + Math.floor((index * used) / callers.length)) % used);
        const own = { connection_id: connectionId, grant_id: "grant", generation: 1 };
        return new SignJWT({ client_id: clientId, scope: "responses:read", ...own })
          .setProtectedHeader({ alg, kid, typ: "at+jwt" })
          .setIssuer(baseUrl)
          .setAudience(`${baseUrl}/api`)
          .setSubject(shopId)
          .setJti(`${connectionId}-${iat}`)
          .setIssuedAt(iat)
          .setExpirationTime(iat + TOKEN_SECONDS)
          .sign(privateKey);
      };
      return Promise.all(callers.map(sign));
    };
    return {
      sql,
      /** The database's URL for the resource server's role, with TLS if that is measured. */
      serviceDatabaseUrl,
      /** The database's URL for its owner. */
      databaseUrl,
      server,
      /** The resource server of the other commit. */
      other,
      postgresLog: join(dataDir, "logs/postgres.log"),
      tokens,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The data set's folder, named by a hash of what it depends on; an outdated one is removed. */
async function dataSetFolder(size: DataSetSize): Promise<string> {
  const folder = join(ROOT, ".data/bench-list");
  const migrations = join(ROOT, MIGRATIONS);
  const hash = createHash("sha256").update(await readFile(new URL("data-set.ts", import.meta.url)));
  for (const name of (await readdir(migrations)).sort())
    hash.update(await readFile(join(migrations, name)));
  const prefix = `${size.responses}-`;
  const name = prefix + hash.digest("hex").slice(0, 12);
  await mkdir(folder, { recursive: true });
  for (const other of await readdir(folder)) {
    if (other.startsWith(prefix) && other !== name) await removeData(join(folder, other));
  }
  return join(folder, name);
}

/** Makes the running Postgres and Redis accept TLS too, by a certificate for their host. */
async function encryptStores(sql: Sql, databaseUrl: string, redisUrl: string, folder: string) {
  const [root, key] = [join(folder, "root.crt"), join(folder, "server.key")];
  const made = selfSigned(["localhost", "127.0.0.1"]);
  await writeFile(root, made.certificate);
  await writeFile(key, made.key);
  // Postgres may run as another user, and copies them.
  await chmod(folder, 0o711);
  await chmod(key, 0o644);
  await sql.unsafe(
    `COPY (SELECT 1) TO PROGRAM 'umask 077; cp ${root} bench.crt; cp ${key} bench.key'`,
  );
  for (const setting of ["ssl_cert_file = 'bench.crt'", "ssl_key_file = 'bench.key'", "ssl = on"]) {
    await sql.unsafe(`ALTER SYSTEM SET ${setting}`);
  }
  await sql`SELECT pg_reload_conf()`;
  const redis = new Redis(redisUrl);
  const encrypted = new URL(redisUrl);
  encrypted.port = String(await freePort());
  const settings = {
    "tls-cert-file": root,
    "tls-key-file": key,
    "tls-auth-clients": "no",
    "tls-port": encrypted.port,
  };
  await redis.config("SET", ...Object.entries(settings).flat());
  redis.disconnect();
  return {
    root,
    database: `${databaseUrl}?sslmode=verify-full&sslrootcert=${root}`,
    redis: encrypted.href.replace(/^redis:/, "rediss:"),
  };
}

/** The tree of a commit with its packages, in a folder that `remove` deletes. */
export async function checkOut(commit: string) {
  const root = await mkdtemp(join(tmpdir(), "partner-connect-against-"));
  const run = (program: string, args: readonly string[], cwd: string) =>
    promisify(execFile)(program, args, { cwd, env: { ...process.env, CI: "true" } });
  const remove = () => run("git", ["worktree", "remove", "--force", root], ROOT);
  await run("git", ["worktree", "add", "--detach", root, commit], ROOT);
  try {
    await run("git", ["diff", "--quiet", commit, "--", MIGRATIONS], ROOT).catch(() => {
      throw new Error(`${commit} has other migrations, so it can't serve this database`);
    });
    await run("npx", ["--yes", "pnpm@12", "install", "--frozen-lockfile"], root);
  } catch (error) {
    await remove();
    throw error;
  }
  return { root, remove };
}

/** A service from the tree at `root`, started like the process `running` except for `env`. */
export async function startReplica(
  running: number,
  env: Readonly<Record<string, string>> = {},
  root: string = ROOT,
): Promise<{ readonly url: string; readonly pid: number; kill(): void }> {
  const list = async (file: string) =>
    (await readFile(`/proc/${running}/${file}`, "utf8")).split("\0").filter(Boolean);
  const [program = "", ...args] = await list("cmdline");
  const known = Object.fromEntries((await list("environ")).map((line) => line.split(/=(.*)/s, 2)));
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(
    program,
    args.map((word) => word.replace(ROOT, join(root, "/"))),
    {
      env: { ...known, ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  while (!(await fetch(`http://127.0.0.1:${internalPort}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`${args.at(-1)} ended with ${child.exitCode}`);
    await sleep(100);
  }
  const url = `http://127.0.0.1:${port}`;
  return { url, pid: child.pid as number, kill: () => child.kill("SIGKILL") };
}
