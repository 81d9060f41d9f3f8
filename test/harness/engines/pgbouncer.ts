import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { freePort } from "@partner-connect/local-stack";
import { onTestFinished } from "vitest";
import { until } from "../stack/processes.ts";

export type PoolMode = "session" | "transaction" | "statement";

export interface PgBouncer {
  /** The address of a database, by way of the pooler. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** By what it says itself. */
export function pgBouncerVersion(): string | undefined {
  return execFileSync("pgbouncer", ["--version"], { encoding: "utf8" }).split("\n")[0];
}

/** PgBouncer before the server of `urls`, whose users it knows. It has the defaults, but for the mode. */
export async function startPgBouncer(mode: PoolMode, urls: readonly string[]): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-pgbouncer-"));
  const port = await freePort();
  const [{ hostname, port: target }] = urls.map((url) => new URL(url)) as [URL];
  const users = urls.map((url) => `"${new URL(url).username}" "${decodeURIComponent(new URL(url).password)}"`);
  await writeFile(join(folder, "users.txt"), `${users.join("\n")}\n`);
  const settings = {
    ...{ listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "", pidfile: "" },
    ...{ auth_type: "scram-sha-256", auth_file: join(folder, "users.txt"), pool_mode: mode },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, `[databases]\n* = host=${hostname} port=${target}\n[pgbouncer]\n${lines.join("\n")}\n`);
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", [...user, file], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  const through = (databaseUrl: string): string =>
    Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port }).href;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    return await answers(through(urls[0] ?? ""));
  });
  return { through, stop };
}

async function answers(url: string): Promise<boolean> {
  const sql = connectDatabase(url, { name: "test", connections: 1 });
  try {
    return (await sql.unsafe("SELECT 1")).length === 1;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** For one test. */
export async function pgBouncerOfTest(mode: PoolMode, urls: readonly string[]): Promise<PgBouncer> {
  const pooler = await startPgBouncer(mode, urls);
  onTestFinished(() => pooler.stop());
  return pooler;
}
