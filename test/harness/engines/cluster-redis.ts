import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@partner-connect/local-stack";
import { Redis } from "ioredis";
import { until } from "../stack/processes.ts";

const SLOTS = 16_384;
const PASSWORD = "of-the-services";
const ALL_COMMANDS = "+@all";

/** A Redis node in cluster mode that gives the errors that a test chooses. The services connect as a user of their own. */
export interface ClusterRedis {
  /** For the services. */
  readonly url: string;
  /** As its administrator. */
  call(command: string, ...args: readonly string[]): Promise<unknown>;
  /** Forbids these commands to the services' user: `NOPERM`. */
  forbid(...commands: readonly string[]): Promise<void>;
  /** No node serves the slots any more: `CLUSTERDOWN`. */
  dropSlots(): Promise<void>;
  /** Moves all slots to another node: `MOVED`. The data are lost. */
  moveSlots(): Promise<void>;
  /** Serves everything again. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export async function startClusterRedis(): Promise<ClusterRedis> {
  const [node, other] = await Promise.all([startNode(), startNode()]);
  const { redis } = node;
  const call = (command: string, ...args: readonly string[]) => redis.call(command, ...args);
  const assign = async (id: string) => {
    const commands = Array.from({ length: SLOTS }, (_, slot) => redis.cluster("SETSLOT", slot, "NODE", id));
    await Promise.all(commands);
  };
  await call("CLUSTER", "ADDSLOTSRANGE", "0", String(SLOTS - 1));
  await call("CLUSTER", "MEET", "127.0.0.1", String(other.port), String(other.busPort));
  await until(async () => String(await call("CLUSTER", "NODES")).includes(other.id));
  const serves = async () => String(await call("CLUSTER", "INFO")).includes("cluster_state:ok");
  await until(serves);
  const allow = () => call("ACL", "SETUSER", "services", "on", `>${PASSWORD}`, "~*", "&*", ALL_COMMANDS);
  await allow();
  return {
    url: `redis://services:${PASSWORD}@127.0.0.1:${node.port}`,
    call,
    async forbid(...commands) {
      await call("ACL", "SETUSER", "services", ...commands.map((command) => `-${command}`));
    },
    async dropSlots() {
      await call("CLUSTER", "DELSLOTSRANGE", "0", String(SLOTS - 1));
    },
    async moveSlots() {
      await call("FLUSHALL");
      await assign(other.id);
    },
    async restore() {
      await call("CLIENT", "UNPAUSE");
      await call("CONFIG", "SET", "maxmemory", "0");
      await allow();
      await assign(node.id);
      await until(serves);
    },
    async stop() {
      await Promise.all([node.stop(), other.stop()]);
    },
  };
}

async function startNode() {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-cluster-"));
  const [port, busPort] = [await freePort(), await freePort()];
  const listen = ["--port", String(port), "--bind", "127.0.0.1", "--cluster-port", String(busPort)];
  const settings = [
    "--cluster-enabled",
    "yes",
    "--cluster-require-full-coverage",
    "no",
    "--cluster-allow-replica-migration",
    "no",
    "--save",
    "",
  ];
  const server = spawn("redis-server", [...listen, ...settings, "--dir", folder], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const redis = new Redis(port, "127.0.0.1", { retryStrategy: () => 50 });
  redis.on("error", () => {});
  const id = String(await redis.cluster("MYID"));
  return {
    port,
    busPort,
    id,
    redis,
    async stop() {
      redis.disconnect();
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
