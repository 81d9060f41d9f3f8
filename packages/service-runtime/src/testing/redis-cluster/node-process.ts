import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis, type RedisOptions } from "ioredis";
import { freePort } from "../../process/free-port.ts";

/** How clients and nodes reach a node. */
export interface Login {
  /** The password of the user `default`. */
  readonly password?: string | undefined;
  /** Files in PEM. Nodes speak TLS with each other too; a client needs no certificate. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string } | undefined;
}

function loginArguments({ password, tls }: Login, port: number): string[] {
  return [
    ...(tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)]),
    ...(tls ? ["--tls-cluster", "yes", "--tls-replication", "yes", "--tls-auth-clients", "no"] : []),
    ...(tls
      ? ["--tls-cert-file", tls.certificate, "--tls-key-file", tls.key, "--tls-ca-cert-file", tls.authority]
      : []),
    ...(password === undefined ? [] : ["--requirepass", password, "--masterauth", password]),
  ];
}

/** One redis-server in cluster mode. Only the test restarts it after a kill. */
export type RedisNode = Awaited<ReturnType<typeof makeNode>>;

export interface NodeOptions {
  readonly name: string;
  readonly folder: string;
  readonly settings: readonly string[];
  readonly login: Login;
}

/** The node, not started yet. */
export async function makeNode({ name, folder, settings, login }: NodeOptions) {
  const [id, port, busPort] = [randomBytes(20).toString("hex"), await freePort(), await freePort()];
  const data = join(folder, name);
  await mkdir(data);
  const listen = [...loginArguments(login, port), "--bind", "127.0.0.1", "--cluster-port", String(busPort)];
  const announce = ["--cluster-announce-ip", "127.0.0.1", "--cluster-enabled", "yes"];
  const args = [...listen, ...announce, "--dir", data, "--logfile", join(data, "log"), ...settings];
  let child: ChildProcess | undefined;
  let connection: Redis | undefined;
  const end = (): void => void child?.kill("SIGKILL");
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    /** `id`: its name in the cluster. */
    ...{ name, id, port, busPort },
    /** True from its start until it is killed, also while it is paused. */
    get isRunning(): boolean {
      return isRunning();
    },
    /** On a connection of the test. */
    async call(command: string, ...rest: readonly (string | number)[]): Promise<unknown> {
      connection ??= connect(port, login);
      return await connection.call(command, ...rest);
    },
    /** A new process after {@link kill}, with the data on disk. It joins the others again. */
    async start(): Promise<void> {
      child = spawn("redis-server", args, { stdio: "ignore" });
      process.once("exit", end);
      // By the time that it answers it has read its files.
      const redis = connect(port, login, { maxRetriesPerRequest: null });
      await redis.ping();
      redis.disconnect();
    },
    /** SIGKILL. */
    async kill(): Promise<void> {
      connection?.disconnect();
      connection = undefined;
      process.off("exit", end);
      if (!child || !isRunning()) return;
      const ended = once(child, "exit");
      end();
      await ended;
    },
    /** SIGSTOP: it accepts connections and does not reply. */
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}

function connect(
  port: number,
  { password, tls }: Login,
  options: Pick<RedisOptions, "maxRetriesPerRequest"> = {},
): Redis {
  const redis = new Redis({
    ...{ host: "127.0.0.1", port, retryStrategy: () => 20, commandTimeout: 10_000 },
    ...(password !== undefined && { password }),
    ...(tls && { tls: { rejectUnauthorized: false } }),
    ...options,
  });
  redis.on("error", () => {});
  return redis;
}

/** Tells a node of all others, as if they had met before: it is whole from its start on. */
export async function writeNodesFile(
  folder: string,
  self: RedisNode,
  shards: readonly { readonly master: RedisNode; readonly replicas: readonly RedisNode[]; readonly slots: string }[],
): Promise<void> {
  const lines = shards.flatMap(({ master, replicas, slots }, index) => {
    const line = (node: RedisNode, role: string, of: string) =>
      [
        ...[node.id, `127.0.0.1:${node.port}@${node.busPort}`, node === self ? `myself,${role}` : role],
        ...[of, 0, 0, index + 1, "connected"],
      ].join(" ");
    return [
      `${line(master, "master", "-")}${slots && ` ${slots}`}`,
      ...replicas.map((node) => line(node, "slave", master.id)),
    ];
  });
  const text = [...lines, `vars currentEpoch ${shards.length} lastVoteEpoch 0`, ""].join("\n");
  await writeFile(join(folder, self.name, "nodes.conf"), text);
}
